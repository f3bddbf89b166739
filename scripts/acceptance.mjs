// Which test holds which rule: writes test/acceptance.md from the titles of the tests and the list in test/acceptance.json.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './run.mjs'

/** @typedef {Record<string, { file: string, ids: string }>} Groups */
/** @typedef {{ python: Groups, typescript: Groups, leftOut: { ids: string, why: string }[] }} List */

export const table = 'test/acceptance.md'
const list = /** @type {List} */ (JSON.parse(readFileSync(join(root, 'test/acceptance.json'), 'utf8')))

/**
 * `1 3-5` as numbers.
 * @param {string} ranges
 */
const numbers = (ranges) =>
  ranges.split(' ').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })

/**
 * As it stands in titles: `SP-007`, `HD-07`, `N7`, `4.5 #7`.
 * @param {string} group
 * @param {number} n
 */
function idOf(group, n) {
  if (group.startsWith('4.')) return `${group} #${n}`
  return group === 'N' ? `N${n}` : `${group}-${String(n).padStart(group === 'SP' ? 3 : 2, '0')}`
}

/**
 * The ids with which a title begins, `4.5 #7 #8` as two.
 * @param {string} title
 */
export function idsOf(title) {
  /** @type {string[]} */
  const ids = []
  let section = ''
  for (const word of title.split(' ')) {
    if (/^4\.\d+$/.test(word)) section = word
    else if (/^#\d+$/.test(word) && section !== '') ids.push(`${section} ${word}`)
    else if (/^([A-Z]{2}-\d{2,3}|N\d+)$/.test(word)) ids.push(word)
    else if (!/^F\d+$/.test(word)) break
  }
  return ids
}

/** Every string of the tests that begins with an id: the titles, and the tables from which `test.each` makes some. */
function titles() {
  const entries = readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
  const files = entries.filter(
    (entry) => entry.isFile() && entry.name.endsWith('.ts') && entry.name !== 'acceptance.test.ts'
  )
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      const file = path.slice(join(root, 'test').length + 1).replaceAll('\\', '/')
      return [...text.matchAll(/(['"`])((?:[A-Z]{1,2}-?\d+|4\.\d+ #\d+) [^\n]*?)\1/g)]
        .map(([, , title = '']) => ({ file, title, ids: idsOf(title) }))
        .filter(({ ids }) => ids.length > 0)
    })
}

/** The table, and what is wrong with it. */
export function acceptance() {
  /** @type {Map<string, Set<string>>} */
  const tested = new Map()
  const problems = []
  for (const { file, title, ids } of titles()) {
    if (ids.length > 5) problems.push(`more than five ids in one test: ${title}`)
    for (const id of ids) tested.set(id, (tested.get(id) ?? new Set()).add(file))
  }
  const leftOut = new Map(list.leftOut.flatMap(({ ids, why }) => ids.split(', ').map((id) => [id, why])))
  /** @type {Set<string>} */
  const known = new Set()

  /** @param {[string, { file: string, ids: string }]} group */
  const section = ([name, { file, ids }]) => {
    const rows = numbers(ids).map((n) => {
      const id = idOf(name, n)
      known.add(id)
      const files = [...(tested.get(id) ?? [])]
      if (files.length > 0 && leftOut.has(id)) problems.push(`${id} is tested and left out`)
      if (files.length === 0 && !leftOut.has(id)) problems.push(`${id} is neither tested nor left out`)
      return files.length > 0 ? [`| ${id} | ${files.join(', ')} |`] : []
    })
    return ['', `${name}: ${file}`, '', '| id | test |', '| --- | --- |', ...rows.flat()]
  }

  const python = Object.entries(list.python).flatMap(section)
  const typescript = Object.entries(list.typescript).flatMap(section)
  for (const id of [...tested.keys(), ...leftOut.keys()]) if (!known.has(id)) problems.push(`${id} is not in the list`)

  const covered = [...known].filter((id) => tested.has(id)).length
  const markdown = [
    '# Which test holds which rule',
    '',
    `Made by \`node scripts/acceptance.mjs\` from the titles of the tests: of ${known.size} rules ${covered} are held, and`,
    `${known.size - covered} are left out (see the end). A rule is a test of one of the two SDKs whose tasks intab serves or is used with.`,
    '',
    '## Python SDK, tests/experimental/tasks (v1)',
    ...python,
    '',
    '## TypeScript SDK (v1): what shows on the wire',
    ...typescript,
    '',
    '## Left out',
    '',
    ...list.leftOut.map(({ ids, why }) => `- ${ids}: ${why}`),
    ''
  ].join('\n')
  return { markdown, problems }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { markdown, problems } = acceptance()
  writeFileSync(join(root, table), markdown)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
