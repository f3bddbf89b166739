// What the bench writes: bench/results.json and bench/RESULTS.md are the newest run of each engine, bench/history.jsonl has
// a line for each release and engine, and docs/speed.svg is its picture.
import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from '../run.mjs'
import { picture } from './picture.mjs'

/** @typedef {import('../../bench/pages/race.js').Row} Row */
/** @typedef {{ rows: Row[], browser: string, machine?: string }} Run */

/**
 * A line of the history: the ratio of each row, by its name.
 * @typedef {{ version: string, engine: string, browser: string, ratios: Record<string, number> }} Line
 */

const machine = `${cpus().length} cores (${cpus()[0]?.model})`

/** @param {number} value */
const figure = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** @param {Row} row */
const line = ({ name, unit, ours, floor, ratio, goal, ok }) =>
  `| ${name} | ${figure(ours.p50)} / ${figure(ours.p99)} ${unit} | ${figure(floor.p50)} / ${figure(floor.p99)} ${unit} | ${figure(ratio)} | ${goal ?? 'none'} | ${ok === undefined ? '' : ok ? 'yes' : 'no'} |`

/** @param {Run} run */
export const table = ({ rows, browser, machine: where = machine }) =>
  [
    `${browser}, ${where}.`,
    '',
    '| what | intab | floor | ratio | goal | reached |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(line),
    ''
  ].join('\n')

/** @param {string} name */
const read = (name) => readFile(join(root, name), 'utf8').catch(() => '')

/**
 * @param {string} engine
 * @param {Run} run
 */
export async function record(engine, { rows, browser }) {
  /** @type {Record<string, Run>} */
  const results = JSON.parse((await read('bench/results.json')) || '{}')
  results[engine] = { browser, machine, rows }
  await writeFile(join(root, 'bench/results.json'), `${JSON.stringify(results, null, 2)}\n`)
  const tables = Object.entries(results).map(([name, result]) => `## ${name}\n\n${table(result)}`)
  const head =
    'Made by `npm run bench`. Median / 99th percentile; what each row is, and what its floor is: [docs/speed.md](../docs/speed.md).'
  await writeFile(
    join(root, 'bench/RESULTS.md'),
    ['# What intab costs beyond its floors', head, ...tables].join('\n\n')
  )

  /** @type {{ version: string }} */
  const { version } = JSON.parse(await read('package.json'))
  /** @type {Line[]} */
  const history = (await read('bench/history.jsonl'))
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text))
  const ratios = Object.fromEntries(rows.map(({ name, ratio }) => [name, Number(ratio.toPrecision(3))]))
  const others = history.filter((known) => known.version !== version || known.engine !== engine)
  const lines = [...others, { version, engine, browser, ratios }]
  await writeFile(join(root, 'bench/history.jsonl'), lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
  await writeFile(join(root, 'docs/speed.svg'), picture(lines, results))
}
