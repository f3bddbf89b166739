import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { groups, others } from '../scripts/groups/groups.mjs'
import { readTotal } from '../scripts/total.mjs'

test('every command of package.json is run by npm test or by a group of npm run test:all', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const run = [...groups.flatMap((group) => group.scripts), ...Object.keys(others)]
  expect(run.sort()).toEqual(Object.keys(scripts).sort())
})

test('the total of a command is its last line of that form', () => {
  expect(readTotal('1 passed, 0 failed\nthen 9 passed, 9 failed in all\n12 passed, 3 failed, 2 skipped\n')).toEqual({
    passed: 12,
    failed: 3,
    skipped: 2
  })
  expect(readTotal('all is well')).toBeUndefined()
})
