// Kills the worker at every commit and every send that it makes, one run for each, and looks what became of the task.

import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { listTasks, runTask } from '../../src/index.js'
import type { TaskTool } from '../../src/session/task-tool.js'
import { type Expected, faultsOf, type Walked } from '../support/kill-walk.js'
import { confirmDelete, text, toolOf, writeHaiku } from '../support/tools.js'
import { World } from '../support/world.js'

/** One task from call to result, with a worker that dies at the given point (from 0; Infinity: never). */
async function walk(make: (log: string[]) => TaskTool, at: number): Promise<Walked> {
  const log: string[] = []
  const asked: string[] = []
  const world = new World({ tools: [make(log)] })
  const first = world.worker()
  const points: string[] = []
  first.onpoint((point) => {
    points.push(point)
    if (points.length === at + 1) first.kill()
  })
  const { client } = await world.tab({
    onelicit: (params, id) => {
      asked.push(id)
      return { action: 'accept', content: { confirm: true, name: params.message } }
    },
    onsample: () => ({ role: 'assistant', model: 'me', content: { type: 'text', text: 'old pond' } })
  })
  const name = make([]).name
  const run = await runTask(client, { name, arguments: { filename: 'a.txt', topic: 'frogs' } })
  const statuses: string[] = []
  for await (const task of run) statuses.push(task.status)
  const result = await run.result()
  const { tasks } = await listTasks(client)
  expect(tasks).toHaveLength(1)
  expect(tasks[0]).toMatchObject({ taskId: run.taskId, status: result.isError ? 'failed' : 'completed' })
  await client.request({ method: 'ping' }, ResultSchema)
  return { points, result, statuses, asked, log }
}

/** Dies at every point of the undisturbed run, once each. */
async function walkAll(make: (log: string[]) => TaskTool, expected: Expected) {
  const { points } = await walk(make, Infinity)
  const visited = new Set<string>()
  const reported = new Set(points)
  const faults: string[] = []
  for (let at = 0; at < points.length; at++) {
    const walked = await walk(make, at)
    for (const point of walked.points) reported.add(point)
    if (walked.points.length <= at) continue
    visited.add(walked.points[at] ?? '')
    faults.push(...faultsOf({ ...walked, points: walked.points.slice(0, at + 1) }, expected))
  }
  return { visited: [...visited].sort(), reported: [...reported].sort(), faults }
}

const research = (log: string[]): TaskTool =>
  toolOf(
    'research',
    async (_, task) => {
      const first = await task.step('first', () => {
        log.push('first')
        return 'first'
      })
      task.progress({ progress: 1, total: 3 })
      const { content } = await task.elicit({
        message: 'who?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } }
      })
      await task.status('asked')
      await task.notify({ method: 'notifications/message', params: { level: 'info', data: 'half' } })
      await task.sleep(1)
      await task.step('second', () => void log.push('second'))
      return text(`${first} ${JSON.stringify(content?.name)}`)
    },
    { taskSupport: 'required', onInterrupt: 'resume', maxAttempts: 5 }
  )

describe('a worker that dies at any commit or send', () => {
  const tools: [string, (log: string[]) => TaskTool, Expected][] = [
    [
      'research goes on from its last step, asks nothing twice and finishes',
      research,
      { text: 'first "who?"', resumes: true }
    ],
    [
      'confirm_delete, which does not resume, is failed and says why',
      () => confirmDelete,
      { text: 'Deleted a.txt', resumes: false }
    ],
    [
      'write_haiku, which does not resume, is failed and says why',
      () => writeHaiku,
      { text: 'old pond', resumes: false }
    ]
  ]
  test.each(tools)('%s', { timeout: 60_000 }, async (_, make, expected) => {
    const { visited, reported, faults } = await walkAll(make, expected)
    expect(faults).toEqual([])
    expect(reported.length).toBeGreaterThan(8)
    expect(visited).toEqual(reported)
  })
})
