// Kills a worker at every commit and every send that it makes, one run for each, and looks what became of the task: the
// worker that started it, and the one that takes it over.

import { type ElicitRequest, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { listTasks, runTask } from '../../src/index.js'
import { openSource } from '../../src/demo/tools/open-source.js'
import { profileCsv } from '../../src/demo/tools/profile-csv.js'
import type { TaskTool } from '../../src/session/task-tool.js'
import { faultsOf, textOf, type Walked } from '../support/kill-walk.js'
import { research, researched } from '../support/research.js'
import { confirmDelete, writeHaiku } from '../support/tools.js'
import { World } from '../support/world.js'

/** The second column may be a number or a year: that is asked. */
const csv = ['name,when', ...Array.from({ length: 20 }, (_, i) => `row ${i},${2000 + i}`)].join('\n')

type Make = (log: string[]) => TaskTool

interface Given {
  resumes: boolean
  /** Default: what the undisturbed run came to. */
  text?: string
}

/** The first of what each field offers. */
function firstChoices(params: ElicitRequest['params']): Record<string, string> {
  const fields = 'requestedSchema' in params ? Object.entries(params.requestedSchema.properties) : []
  return Object.fromEntries(
    fields.flatMap(([name, field]) => ('oneOf' in field && field.oneOf[0] ? [[name, field.oneOf[0].const]] : []))
  )
}

/** One task from call to result, with workers that die at the given points, one after the other (from 0; Infinity: never). */
async function walk(make: Make, ...deaths: number[]): Promise<Walked & { heir: string[] }> {
  const log: string[] = []
  const asked: string[] = []
  const world = new World({ tools: [make(log)] })
  const workers = deaths.map(() => [] as string[])
  world.onpoint((worker, point) => {
    const nth = world.workers.indexOf(worker)
    workers[nth]?.push(point)
    if (workers[nth]?.length === (deaths[nth] ?? Infinity) + 1) worker.kill()
  })
  const [points = [], heir = []] = workers
  const { client } = await world.tab({
    onelicit: (params, id) => {
      asked.push(id)
      return { action: 'accept', content: { confirm: true, name: params.message, ...firstChoices(params) } }
    },
    onsample: () => ({ role: 'assistant', model: 'me', content: { type: 'text', text: 'old pond' } })
  })
  const name = make([]).name
  const run = await runTask(client, { name, arguments: { filename: 'a.txt', topic: 'frogs', csv, pause: 0 } })
  const statuses: string[] = []
  for await (const task of run) statuses.push(task.status)
  const result = await run.result()
  const { tasks } = await listTasks(client)
  expect(tasks).toHaveLength(1)
  expect(tasks[0]).toMatchObject({ taskId: run.taskId, status: result.isError ? 'failed' : 'completed' })
  await client.request({ method: 'ping' }, ResultSchema)
  return { points, heir, result, statuses, asked, log }
}

/** One walk for each point, eight at a time: each waits most of its life for a worker to be missed. */
async function sideBySide<T>(
  points: readonly string[],
  go: (at: number) => Promise<T>
): Promise<{ at: number; walked: T }[]> {
  const all: { at: number; walked: T }[] = []
  for (let from = 0; from < points.length; from += 8) {
    const some = points.slice(from, from + 8).map(async (_, i) => ({ at: from + i, walked: await go(from + i) }))
    all.push(...(await Promise.all(some)))
  }
  return all
}

/** Dies at every point of the undisturbed run, once each. */
async function walkAll(make: Make, given: Given) {
  const { points, result } = await walk(make, Infinity)
  const expected = { text: String(textOf(result)), ...given }
  const visited = new Set<string>()
  const reported = new Set(points)
  const faults: string[] = []
  for (const { at, walked } of await sideBySide(points, (at) => walk(make, at))) {
    for (const point of walked.points) reported.add(point)
    if (walked.points.length <= at) continue
    visited.add(walked.points[at] ?? '')
    faults.push(...faultsOf({ ...walked, points: walked.points.slice(0, at + 1) }, expected))
  }
  return { visited: [...visited].sort(), reported: [...reported].sort(), faults }
}

/** The first worker dies when the question is stored, the next at every point that it then comes to. */
async function walkHeir(make: Make, given: Given) {
  const { points, result } = await walk(make, Infinity)
  const expected = { text: String(textOf(result)), ...given }
  const first = points.findIndex((point) => /^committed:ask$/.test(point))
  const { heir } = await walk(make, first, Infinity)
  const visited = new Set<string>()
  const reported = new Set(heir)
  const faults: string[] = []
  for (const { at, walked } of await sideBySide(heir, (at) => walk(make, first, at))) {
    for (const point of walked.heir) reported.add(point)
    if (walked.heir.length <= at) continue
    visited.add(walked.heir[at] ?? '')
    // What does not resume is ended by the heir, whose end is not the tool's.
    const seen = expected.resumes ? [...walked.points, ...walked.heir] : walked.points
    faults.push(...faultsOf({ ...walked, points: seen }, expected))
  }
  return { visited: [...visited].sort(), reported: [...reported].sort(), faults }
}

describe('a worker that dies at any commit or send', () => {
  const tools: [string, Make, Given][] = [
    [
      'research goes on from its last step, asks nothing twice and finishes',
      (log) => research((step) => log.push(step)),
      { text: researched, resumes: true }
    ],
    [
      'the profile of a table goes on from its last step, asks nothing twice and finishes',
      () => profileCsv(() => Promise.reject(new Error('A table was given'))),
      { resumes: true }
    ],
    [
      'a page to open is asked once, and the task finishes',
      () => openSource,
      { text: 'Opened the page', resumes: true }
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

  test.each(tools)('and whose heir dies, too: %s', { timeout: 60_000 }, async (_, make, expected) => {
    const { visited, reported, faults } = await walkHeir(make, expected)
    expect(faults).toEqual([])
    expect(reported).toContain(expected.resumes ? 'committed:adopt' : 'committed:finish')
    expect(visited).toEqual(reported)
  })
})
