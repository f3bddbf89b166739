// Runs all races in one page load; scripts/bench.mjs calls it.

import { callRaces } from '../races/calls.js'
import { keptRaces, storedRaces, waiterRaces } from '../races/crowds.js'
import { devtoolsRaces } from '../races/devtools.js'
import { heapRows, type WorkerHeap } from '../races/heap.js'
import { largeRaces } from '../races/large.js'
import { type EndWorker, lifeRaces } from '../races/lives.js'
import { manyRows } from '../races/many.js'
import { workRaces } from '../races/work.js'
import { type Floors, openFloors } from './floors.js'
import { type Act, quantiles, type Race, repeat, type Row, run, scales } from './race.js'

export interface Report {
  rows: Row[]
  /** Floors that were slower in the races than alone, which would flatter us: a sentence each. */
  slowed: string[]
}

export interface Wish {
  scale: keyof typeof scales
  /** Only what has this in its name. */
  only?: string
}

declare global {
  /** Given by the script where the browser lets it: ends the worker whose URL contains the text. */
  var endWorker: EndWorker | undefined
  /** The same: bytes in use in that worker, after collection. */
  var workerHeap: WorkerHeap | undefined
  var bench: (wish: Wish) => Promise<Report>
}

/** The machine is not ours alone; a floor that is slower by more than this was held up by us. */
const tolerance = 1.25

async function alone(floors: Floors, part: number): Promise<Map<Act, number>> {
  const medians = new Map<Act, number>()
  for (const [name, act] of Object.entries(floors) as [keyof Floors, Act][]) {
    const times = Math.ceil((name === 'start' || name === 'lives' ? 20 : 400) * part)
    await repeat(act, Math.ceil(times / 4))
    medians.set(act, quantiles(await repeat(act, times)).p50)
  }
  return medians
}

globalThis.bench = async ({ scale: name, only = '' }) => {
  const scale = scales[name]
  const { part } = scale
  const { endWorker, workerHeap } = globalThis
  const floors = await openFloors()
  const medians = await alone(floors, part)
  const report: Report = { rows: [], slowed: [] }
  const add = (row: Row): void => {
    report.rows.push(row)
    console.log(
      `${row.ok === false ? 'NOT' : 'ok '} ${row.ratio.toFixed(3)} ${row.goal ?? ''}  ${row.name}  ${JSON.stringify([row.ours, row.floor])}`
    )
  }
  const race = async (races: readonly Race[]): Promise<void> => {
    for (const each of races) {
      if (!each.name.includes(only)) continue
      const row = await run(each, scale)
      add(row)
      const before = medians.get(each.floor)
      if (before === undefined || name === 'smoke') continue
      const slowerThan = (median: number): number =>
        each.goal && 'atLeast' in each.goal ? median / row.floor.p50 : row.floor.p50 / median
      if (slowerThan(before) <= tolerance) continue
      // The machine may have become slower since the start: alone again, with our servers idle.
      const slower = slowerThan(quantiles(await repeat(each.floor, each.rounds * Math.min(each.batch, 20))).p50)
      if (slower > tolerance)
        report.slowed.push(`${each.name}: its floor took ${slower.toFixed(2)} times what it took alone`)
    }
  }
  const wants = (...words: string[]): boolean =>
    words.some((word) => only === '' || word.includes(only) || only.includes(word))
  await race(await callRaces(floors))
  if (wants('waiting', 'the same')) await race(await waiterRaces(scale.waiters))
  if (wants('stored')) await race(await storedRaces(scale.stored.many, scale.stored.few))
  if (wants('making room')) await race(await keptRaces(scale.kept))
  if (wants('progress', 'the same')) await race(await workRaces())
  for await (const row of manyRows(scale, wants, workerHeap)) add(row)
  if (wants('arguments')) await race(await largeRaces(scale.megabytes))
  if (wants('devtools', 'the same')) await race(await devtoolsRaces(scale))
  await race(lifeRaces(floors, endWorker))
  if (workerHeap && wants('heap')) for (const row of await heapRows(part, workerHeap)) add(row)
  return report
}
