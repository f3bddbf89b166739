// Kills a worker at every commit and every send that it makes, one run for each, and looks what became of the task: the
// worker that started it, and the one that takes it over.

import { describe, expect, test } from 'vitest'
import { listTasks } from '../../src/index.js'
import { openSource } from '../../src/demo/tools/open-source.js'
import { profileCsv } from '../../src/demo/tools/profile-csv.js'
import type { TaskTool } from '../../src/tool/tool.js'
import { counter, faultsOf, textOf, type Walked } from '../support/kill-walk.js'
import { research, researched } from '../support/research.js'
import { type Road, roads } from '../support/roads.js'
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

/** What one worker reached until it died, and after that if it did not stop at once. */
interface Way {
  points: string[]
  upToDeath?: string[]
}

/** One task from call to result, with workers that die at the given points, one after the other ('': never). */
async function walk(road: Road, make: Make, ...deaths: string[]): Promise<Walked & { first: Way; heir: Way }> {
  const log: string[] = []
  const world = new World({ tools: [optional(make(log))] })
  const ways = deaths.map((death) => ({ death, numbered: counter(), way: { points: [] } as Way }))
  let isOver = false
  world.onpoint((worker, point) => {
    // That somebody fetched the outcome is noted some time later, if the worker lives that long.
    if (isOver || point.endsWith(':fetched')) return
    const { death, numbered, way } = ways[world.workers.indexOf(worker)] ?? {}
    way?.points.push(point)
    if (way === undefined || numbered?.(point) !== death) return
    way.upToDeath = [...way.points]
    worker.kill()
  })
  const [first = { points: [] }, heir = { points: [] }] = ways.map(({ way }) => way)
  const name = make([]).name
  const call = { name, arguments: { filename: 'a.txt', topic: 'frogs', csv, pause: 0 } }
  const { client, result, statuses, asked } = await road(world, call)
  isOver = true
  const { tasks } = await listTasks(client)
  expect(tasks).toMatchObject([{ status: result.isError ? 'failed' : 'completed' }])
  return { points: first.points, first, heir, result, statuses, asked, log }
}

/** A plain call may call it as well. */
const optional = (tool: TaskTool): TaskTool => ({ ...tool, config: { ...tool.config, taskSupport: 'optional' } })

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
async function walkAll(road: Road, make: Make, given: Given) {
  const { points, result } = await walk(road, make, '')
  const expected = { text: String(textOf(result)), ...given }
  const findings = new Findings()
  findings.add({ points }, () => [])
  for (const walked of await sideBySide(points, (at) => walk(road, make, at))) {
    findings.add(walked.first, (upToDeath) => faultsOf({ ...walked, points: upToDeath }, expected))
  }
  return findings.all
}

/** The first worker dies when the question is stored, the next at every point that it then comes to. */
async function walkHeir(road: Road, make: Make, given: Given) {
  const { result } = await walk(road, make, '')
  const expected = { text: String(textOf(result)), ...given }
  const stored = 'committed:ask#0'
  const { heir } = await walk(road, make, stored, '')
  const findings = new Findings()
  findings.add(heir, () => [])
  for (const walked of await sideBySide(heir.points, (at) => walk(road, make, stored, at))) {
    // What does not resume is ended by the heir, whose end is not the tool's.
    const seen = expected.resumes ? [...walked.points, ...walked.heir.points] : walked.points
    findings.add(walked.heir, () => faultsOf({ ...walked, points: seen }, expected))
  }
  return findings.all
}

const tools: [string, Make, Given][] = [
  [
    'research goes on from its last step, asks nothing twice and finishes',
    (log) => research((step) => log.push(step)),
    { text: researched, resumes: true }
  ],
  ['a page to open is asked once, and the task finishes', () => openSource, { text: 'Opened the page', resumes: true }],
  [
    'confirm_delete, which does not resume, is failed and says why',
    () => confirmDelete,
    { text: 'Deleted a.txt', resumes: false }
  ],
  ['write_haiku, which does not resume, is failed and says why', () => writeHaiku, { text: 'old pond', resumes: false }]
]

/** It comes to many more points than the others: one road is enough. */
const long: typeof tools = [
  [
    'the profile of a table goes on from its last step, asks nothing twice and finishes',
    () => profileCsv(() => Promise.reject(new Error('A table was given'))),
    { resumes: true }
  ]
]

describe.each(Object.entries(roads))('a worker that dies at any commit or send, before %s', (name, road) => {
  const walked = name === 'a tab of 2025-11-25' ? [...tools, ...long] : tools

  test.each(walked)('%s', async (_, make, expected) => {
    const { visited, reported, faults } = await walkAll(road, make, expected)
    expect(faults).toEqual([])
    expect(reported.length).toBeGreaterThan(8)
    expect(visited).toEqual(reported)
  })

  test.each(walked)('and whose heir dies, too: %s', async (_, make, expected) => {
    const { visited, reported, faults } = await walkHeir(road, make, expected)
    expect(faults).toEqual([])
    expect(reported).toContain(expected.resumes ? 'committed:adopt' : 'committed:finish')
    expect(visited).toEqual(reported)
  })
})
