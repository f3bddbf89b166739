// The example in examples/stores, built and served as its reader would.

import { fileURLToPath } from 'node:url'
import { build, preview, type PreviewServer } from 'vite'
import { expect, test } from './fixtures.js'

const root = fileURLToPath(new URL('../../examples/stores', import.meta.url))

let server: PreviewServer
let url: string

test.beforeAll(async ({}, { project }) => {
  const outDir = `${project.outputDir}/example-stores-${process.pid}`
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
  server = await preview({ root, logLevel: 'warn', build: { outDir }, preview: { port: 0, host: 'localhost' } })
  url = server.resolvedUrls?.local[0] ?? ''
})

test.afterAll(async () => {
  await server.close()
})

test('tasks of the SDK’s own server survive a reload and a new tab, with their results', async ({ openTab }) => {
  const page = await openTab(url)
  const tasks = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem')
  await page.getByLabel('Tea').fill('Darjeeling')
  await page.getByRole('button', { name: 'Brew' }).click()
  await expect(tasks).toHaveText([/: A pot of Darjeeling$/])
  const before = await tasks.allTextContents()

  await page.reload()
  await expect(tasks).toHaveText(before)
  await page.getByLabel('Tea').fill('Oolong')
  await page.getByRole('button', { name: 'Brew' }).click()
  await expect(tasks).toHaveText([before[0] ?? '', /: A pot of Oolong$/])

  const other = await openTab(url)
  await page.close()
  await expect(other.getByRole('listitem')).toHaveText([before[0] ?? '', /: A pot of Oolong$/])
})
