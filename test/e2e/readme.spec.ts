import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { root as project, writeSamples } from '../support/samples.js'
import { expect, test } from './fixtures.js'

test('the README does what it says', async ({ context }) => {
  const root = join(project, 'node_modules', '.cache', 'intab-readme')
  await writeSamples('README.md', root)
  for (const name of ['main', 'files']) {
    const script = `<script type="module" src="./${name}.ts"></script>`
    await writeFile(join(root, `${name}.html`), `<!doctype html><title>app</title>${script}`)
  }
  const config = {
    root,
    configFile: false as const,
    logLevel: 'warn' as const,
    resolve: {
      tsconfigPaths: false,
      alias: { 'intab/worker': join(project, 'src/worker.ts'), intab: join(project, 'src/index.ts') }
    },
    worker: { format: 'es' as const },
    build: { target: 'es2022', rolldownOptions: { input: ['main', 'files'].map((name) => join(root, `${name}.html`)) } }
  }
  await build(config)
  const server = await preview({ ...config, preview: { port: 0 } })
  const page = await context.newPage()
  const said: string[] = []
  page.on('console', async (message) => {
    if (message.type() !== 'log') return
    const values = await Promise.all(message.args().map((value) => value.jsonValue() as unknown))
    said.push(JSON.stringify(values))
  })
  page.on('dialog', (dialog) => dialog.accept())
  const url = server.resolvedUrls?.local[0] ?? ''
  await page.goto(`${url}main.html`)
  await expect.poll(() => said).toEqual(['[[{"type":"text","text":"6 words"}]]'])

  said.length = 0
  await page.goto(`${url}files.html`)
  await expect.poll(() => said.at(-1) ?? '').toContain('Deleted a.txt')
  // A client may be told of two changes at once.
  expect(said[0]).toBe('["working"]')
  expect(said.filter((line) => line === '["completed"]')).toHaveLength(1)
  await server.close()
})
