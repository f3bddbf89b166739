import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Entry, page, readEntries, render } from '../scripts/reference.mjs'
import { publicNames } from './architecture/public-names.js'
import { root } from './support/samples.js'

let entries: Entry[]
let text: string
beforeAll(async () => {
  ;[entries, text] = await Promise.all([readEntries(), readFile(join(root, page), 'utf8')])
}, 300_000)

test('the reference is what the types say: `node scripts/reference.mjs` makes it', () => {
  expect(text).toBe(render(entries))
})

test('the reference has every public name of every entry, each with one heading', () => {
  const names = Object.entries(publicNames).map(([path, exported]) => [
    path.replace('src/', 'intab/').replace(/(\/index)?\.ts$/, ''),
    [...exported].sort()
  ])
  const found = entries.map(({ specifier, exports, also }) => [
    specifier,
    [...exports.map(({ name }) => name), ...also].sort()
  ])
  expect(found).toEqual(names)
  const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, name = '']) => name)
  const named = entries.flatMap(({ exports }) => exports.map(({ name }) => name))
  expect(new Set(headings)).toEqual(new Set(named))
  expect(headings).toHaveLength(named.length)
})

test('every public name and every option says what it is', () => {
  const silent = entries.flatMap(({ specifier, exports }) =>
    exports.flatMap(({ name, kind, doc, members }) => [
      ...(doc === '' ? [`${specifier}: ${name}`] : []),
      ...(kind === 'type'
        ? members.filter((member) => member.doc === '').map((member) => `${name}.${member.name}`)
        : [])
    ])
  )
  expect(silent).toEqual([])
})
