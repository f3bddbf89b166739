// Kills a worker at every commit and every send that it makes, one run for each, and looks what became of the task: the
// worker that started it, and the one that takes it over.

import { type ElicitRequest, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { listTasks, runTask } from '../../src/index.js'
import { openSource } from '../../src/demo/tools/open-source.js'
import { profileCsv } from '../../src/demo/tools/profile-csv.js'
import type { TaskTool } from '../../src/tool/tool.js'
import { counter, faultsOf, textOf, type Walked } from '../support/kill-walk.js'
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

/** What one worker reached until it died, and after that if it did not stop at once. */
interface Way {
  points: string[]
  upToDeath?: string[]
}

/** One task from call to result, with workers that die at the given points, one after the other ('': never). */
async function walk(make: Make, ...deaths: string[]): Promise<Walked & { first: Way; heir: Way }> {
  const log: string[] = []
  const asked: string[] = []
  const world = new World({ tools: [make(log)] })
  const ways = deaths.map((death) => ({ death, numbered: counter(), way: { points: [] } as Way }))
  world.onpoint((worker, point) => {
    const { death, numbered, way } = ways[world.workers.indexOf(worker)] ?? {}
    way?.points.push(point)
    if (way === undefined || numbered?.(point) !== death) return
    way.upToDeath = [...way.points]
    worker.kill()
  })
  const [first = { points: [] }, heir = { points: [] }] = ways.map(({ way }) => way)
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
  return { points: first.points, first, heir, result, statuses, asked, log }
}

/** One walk for each point, eight at a time: each waits most of its life for a worker to be missed. */
async function sideBySide<T>(points: readonly string[], go: (point: string) => Promise<T>): Promise<T[]> {
  const due = points.map(counter())
  const walked: T[] = []
  while (due.length > 0) walked.push(...(await Promise.all(due.splice(0, 8).map(go))))
  return walked
}

/** Which points were reported, at which a worker died, and what was wrong then. */
class Findings {
  readonly #visited = new Set<string>()
  readonly #reported = new Set<string>()
  readonly #faults: string[] = []

  add({ points, upToDeath }: Way, faults: (upToDeath: string[]) => string[]): void {
    for (const point of points) this.#reported.add(point)
    const at = upToDeath?.at(-1)
    if (upToDeath === undefined || at === undefined) return
    this.#visited.add(at)
    this.#faults.push(...faults(upToDeath))
  }

  get all() {
    return { visited: [...this.#visited].sort(), reported: [...this.#reported].sort(), faults: this.#faults }
  }
}

/** Dies at every point of the undisturbed run, once each. */
async function walkAll(make: Make, given: Given) {
  const { points, result } = await walk(make, '')
  const expected = { text: String(textOf(result)), ...given }
  const findings = new Findings()
  findings.add({ points }, () => [])
  for (const walked of await sideBySide(points, (at) => walk(make, at))) {
    findings.add(walked.first, (upToDeath) => faultsOf({ ...walked, points: upToDeath }, expected))
  }
  return findings.all
}

/** The first worker dies when the question is stored, the next at every point that it then comes to. */
async function walkHeir(make: Make, given: Given) {
  const { result } = await walk(make, '')
  const expected = { text: String(textOf(result)), ...given }
  const stored = 'committed:ask#0'
  const { heir } = await walk(make, stored, '')
  const findings = new Findings()
  findings.add(heir, () => [])
  for (const walked of await sideBySide(heir.points, (at) => walk(make, stored, at))) {
    // What does not resume is ended by the heir, whose end is not the tool's.
    const seen = expected.resumes ? [...walked.points, ...walked.heir.points] : walked.points
    findings.add(walked.heir, () => faultsOf({ ...walked, points: seen }, expected))
  }
  return findings.all
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
