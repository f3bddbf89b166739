// Kills the worker at every commit and every send that it makes, one run for each, and looks what became of the task.

import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { listTasks, runTask } from '../../src/index.js'
import type { TaskTool } from '../../src/session/task-tool.js'
import { confirmDelete, text, toolOf, writeHaiku } from '../support/tools.js'
import { World } from '../support/world.js'

const stopped = 'The worker that ran this task stopped before it finished'

interface Walked {
  /** Points in the order in which the first worker came to them. */
  points: string[]
  result: { isError?: boolean | undefined; content: unknown }
  statuses: string[]
  asked: string[]
  log: string[]
}

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

/** Every point of the undisturbed run, once. */
async function walkAll(make: (log: string[]) => TaskTool, look: (walked: Walked, at: number) => void) {
  const { points } = await walk(make, Infinity)
  expect(points.length).toBeGreaterThan(8)
  const visited = new Set<string>()
  const reported = new Set(points)
  for (let at = 0; at < points.length; at++) {
    const walked = await walk(make, at)
    for (const point of walked.points) reported.add(point)
    const last = walked.points[at]
    if (last === undefined) continue
    visited.add(last)
    look(walked, at)
  }
  return { visited: [...visited].sort(), reported: [...reported].sort() }
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
  test(
    'a tool that resumes goes on from its last step, asks nothing twice and finishes',
    { timeout: 60_000 },
    async () => {
      const { visited, reported } = await walkAll(research, ({ result, asked, log, points, statuses }, at) => {
        const where = `killed at ${points[at]} (${at})`
        expect(result, where).toMatchObject(text('first "who?"'))
        expect(new Set(asked).size, where).toBe(1)
        expect(asked.length, where).toBe(1)
        const times = (step: string): number => log.filter((done) => done === step).length
        const committed = points.slice(0, at + 1).filter((point) => point === 'committed:step').length
        // A step may run again only if the worker died before its value was kept.
        expect(times('first'), where).toBeLessThanOrEqual(committed >= 1 ? 1 : 2)
        expect(times('second'), where).toBeLessThanOrEqual(committed >= 3 ? 1 : 2)
        expect(statuses.at(-1), where).toBe('completed')
      })
      expect(visited).toEqual(reported)
    }
  )

  const others: [string, (log: string[]) => TaskTool, string][] = [
    ['confirm_delete', () => confirmDelete, 'Deleted a.txt'],
    ['write_haiku', () => writeHaiku, 'old pond']
  ]
  test.each(others)('%s, which does not resume, is failed and says why', { timeout: 60_000 }, async (_, make, done) => {
    const { visited, reported } = await walkAll(make, ({ result, points, statuses, asked }, at) => {
      const where = `killed at ${points[at]} (${at})`
      const until = points.slice(0, at + 1)
      const survives = !until.includes('committed:create') || until.includes('committed:finish')
      expect(result, where).toMatchObject(survives ? text(done) : { isError: true, ...text(stopped) })
      expect(statuses.at(-1), where).toBe(survives ? 'completed' : 'failed')
      expect(new Set(asked).size, where).toBe(asked.length)
    })
    expect(visited).toEqual(reported)
  })
})
