// Each row of the table of limits and refusals in docs/bridge.md is a test, whose title begins with the row.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folders = ['test/bridge', 'test/unit/bridge', 'test/e2e']

const titles = (): string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.includes('bridge') || !folder.endsWith('e2e'))
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => [
        ...readFileSync(join(folder, name), 'utf8').matchAll(
          /^(?: *test\(|const result = )['`](?:[RG]\d+ )?(.+?)['`]/gm
        )
      ])
      .map(([, title = '']) => title)
  )

test('each row of the table of limits has a test that begins with it', () => {
  const page = readFileSync('docs/bridge.md', 'utf8')
  const [, table = ''] = /^\| limit or refusal \|.*\n\|-.*\n((?:\|.*\n)+)/m.exec(page) ?? []
  const rows = table
    .split('\n')
    .map((line) => line.split('|')[1]?.replaceAll('`', '').trim() ?? '')
    .filter((row) => row !== '')
  expect(rows.length).toBeGreaterThan(10)
  const known = titles()
  expect(rows.filter((row) => !known.some((title) => title.startsWith(`${row}:`)))).toEqual([])
})
