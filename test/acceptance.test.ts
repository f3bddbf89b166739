import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acceptance, idsOf, table } from '../scripts/acceptance.mjs'
import { root } from '../scripts/run.mjs'

test('every rule of the list is in the title of a test or left out for a reason', () => {
  expect(acceptance().problems).toEqual([])
})

test('the table is what the titles say: `node scripts/acceptance.mjs` makes it', () => {
  expect(readFileSync(join(root, table), 'utf8')).toBe(acceptance().markdown)
})

test.each([
  ['HD-07 HD-08 answers', ['HD-07', 'HD-08']],
  ['4.10 #4 #5 4.3 #1 SP-051 N7 works', ['4.10 #4', '4.10 #5', '4.3 #1', 'SP-051', 'N7']],
  ['F24 F37 N6 ends', ['N6']],
  ['answers HD-07', []],
  ['#4 alone', []]
])('the title "%s" names its rules', (title, ids) => {
  expect(idsOf(title)).toEqual(ids)
})
