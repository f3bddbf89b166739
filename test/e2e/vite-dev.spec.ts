import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { intab } from 'intab/vite'
import { createLogger, createServer } from 'vite'
import { expect, test } from './fixtures.js'

declare global {
  interface Window {
    /** Resolves with the text of the tool's answer. */
    callTool(name: string): Promise<string>
    /** What the question of `confirm` resolves with. */
    answer(): void
    asked: number
    firstLoad?: boolean
  }
}

const files: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>app</title><script type="module" src="./main.ts"></script>',
  'version.ts': "export const version = 'first'\n",
  'mcp.worker.ts': `import { serve, taskTool } from 'intab/worker'
import { version } from './version'
const text = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const tell = taskTool('tell', { inputSchema: {}, taskSupport: 'optional' }, () => text(version))
const confirm = taskTool('confirm', { inputSchema: {}, taskSupport: 'optional', onInterrupt: 'resume' }, async (_, task) => {
  await task.elicit({ message: 'Go on?', requestedSchema: { type: 'object', properties: {} } })
  return text(version + ' in run ' + task.attempt)
})
serve({ name: 'dev', version: '1.0.0', tools: [tell, confirm] })
`,
  'main.ts': `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { WorkerTransport } from 'intab'
const client = new Client({ name: 'app', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
window.asked = 0
const answered = new Promise((resolve) => (window.answer = () => resolve({ action: 'accept', content: {} })))
client.setRequestHandler(ElicitRequestSchema, () => (window.asked++, answered))
await client.connect(new WorkerTransport(() => new SharedWorker(new URL('./mcp.worker.ts', import.meta.url), {
  type: 'module', name: 'mcp', extendedLifetime: true
})))
window.callTool = async (name) => (await client.callTool({ name })).content[0].text
`
}

test('in development an edited worker is replaced, without a reload, and its tasks go on in the new one', async ({
  context
}) => {
  // Vite watches nothing below test-results.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'intab-dev-')))
  const modules = join(root, 'node_modules')
  await mkdir(modules)
  await symlink(process.cwd(), join(modules, 'intab'))
  for (const name of ['@modelcontextprotocol', 'zod']) {
    await symlink(join(process.cwd(), 'node_modules', name), join(modules, name))
  }
  const edit = (name: string, text: string): Promise<void> => writeFile(join(root, name), text)
  for (const [name, text] of Object.entries(files)) await edit(name, text)

  const terminal: string[] = []
  const customLogger = { ...createLogger('silent'), info: (line: string) => void terminal.push(line) }
  const server = await createServer({ root, configFile: false, customLogger, plugins: [intab()], server: { port: 0 } })
  await server.listen()
  try {
    const page = await context.newPage()
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.goto(server.resolvedUrls?.local[0] ?? '')
    await page.waitForFunction(() => 'callTool' in window)
    await page.evaluate(() => (window.firstLoad = true))
    const tell = (): Promise<string> => page.evaluate(() => window.callTool('tell'))
    expect(await tell()).toBe('first')
    const confirmed = page.evaluate(() => window.callTool('confirm'))
    await expect.poll(() => page.evaluate(() => window.asked)).toBe(1)

    await edit('version.ts', "export const version = 'second'\n")
    await expect.poll(tell).toBe('second')
    await page.evaluate(() => window.answer())
    expect(await confirmed).toBe('second in run 2')
    expect(said).toContain('intab: mcp.worker.ts was edited, a new worker takes over')
    expect(terminal).toContain('intab: mcp.worker.ts restarts, version.ts was edited')

    await edit('mcp.worker.ts', files['mcp.worker.ts']?.replace('text(version))', "text(version + '!'))") ?? '')
    await expect.poll(tell).toBe('second!')
    expect(await page.evaluate(() => window.firstLoad)).toBe(true)

    await page.reload()
    await page.waitForFunction(() => 'callTool' in window)
    expect(await tell()).toBe('second!')
    expect(terminal.filter((line) => line.includes('optimized dependencies changed'))).toEqual([])
  } finally {
    await server.close()
    await rm(root, { recursive: true })
  }
})
