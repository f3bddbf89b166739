import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { groups, others } from '../scripts/groups/groups.mjs'
import { closing, readTotal } from '../scripts/total.mjs'

test('every command of package.json is run by npm test or by a group of npm run test:all', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const run = [...groups.flatMap((group) => group.scripts), ...Object.keys(others)]
  expect(run.sort()).toEqual(Object.keys(scripts).sort())
})

test('the total of a command is its last line of that form', () => {
  expect(readTotal('1 passed, 0 failed\nthen 9 passed, 9 failed in all\n12 passed, 3 failed, 2 skipped\n')).toEqual({
    passed: 12,
    failed: 3,
    skipped: 2,
    failures: []
  })
  expect(readTotal('all is well')).toBeUndefined()
})

test('what failed is named above the total, and again above the total of whoever ran the command', () => {
  const total = { passed: 1, failed: 2, skipped: 0, failures: ['a.test.ts one', 'b.test.ts two'] }
  expect(closing(total)).toBe('failed: a.test.ts one\nfailed: b.test.ts two\n1 passed, 2 failed')
  expect(readTotal(closing(total))).toEqual(total)
})
