import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/run.mjs'

const row = /^\| ([A-F]\d+) \| .+ \| (.+) \|$/gm
const listed = [...readFileSync(join(root, 'docs/faults.md'), 'utf8').matchAll(row)]
const isTested = new Map(listed.map(([, id = '', how]) => [id, how === 'tested']))

/** Ids of faults at the beginning of a title, among the ids of other lists. */
function idsOf(title: string): string[] {
  const words = title.split(' ')
  const end = words.findIndex((word) => !/^([A-Z]{1,2}-?\d+|4\.\d+|#\d+)$/.test(word))
  return words.slice(0, end < 0 ? words.length : end).filter((word) => /^[A-F]\d+$/.test(word))
}

function titles(): string[] {
  const entries = readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.startsWith('acc'))
  return files.flatMap((entry) => {
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    return [...text.matchAll(/['"`]((?:[A-Z]{1,2}-?\d+|4\.\d+ #\d+)[^\n'"`]*)/g)].map(([, title = '']) => title)
  })
}

test('every fault that the list calls tested is in the title of a test, and no other', () => {
  const named = new Set(titles().flatMap(idsOf))
  expect(isTested.size).toBe(listed.length)
  expect([...named].filter((id) => isTested.get(id) !== true)).toEqual([])
  expect([...isTested].flatMap(([id, tested]) => (tested && !named.has(id) ? [id] : []))).toEqual([])
})
