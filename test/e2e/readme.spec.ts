import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { writeReadmeFiles } from '../support/readme.js'
import { expect, test } from './fixtures.js'

test('the README does what it says', async ({ context }) => {
  const root = await writeReadmeFiles('readme-app')
  await writeFile(
    join(root, 'index.html'),
    '<!doctype html><title>app</title><script type="module" src="./main.ts"></script>'
  )
  const config = {
    root,
    configFile: false as const,
    logLevel: 'warn' as const,
    resolve: {
      tsconfigPaths: false,
      alias: { 'intab/worker': join(process.cwd(), 'src/worker.ts'), intab: join(process.cwd(), 'src/index.ts') }
    },
    worker: { format: 'es' as const },
    build: { target: 'es2022' }
  }
  await build(config)
  const server = await preview({ ...config, preview: { port: 0 } })
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', async (message) => {
    const values = await Promise.all(message.args().map((value) => value.jsonValue() as unknown))
    said.push(JSON.stringify(values))
  })
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto(server.resolvedUrls?.local[0] ?? '')
  await expect.poll(() => said.at(-1) ?? '').toContain('Deleted a.txt')
  expect(said).toContain('["working",null]')
  expect(said.filter((line) => line.startsWith('["completed"'))).toHaveLength(1)
  await server.close()
})
