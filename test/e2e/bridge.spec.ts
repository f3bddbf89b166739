import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  ListToolsResultSchema
} from '@modelcontextprotocol/sdk/types.js'
import { runTask } from 'intab'
import { killWorker } from 'intab/testing'
import { findBrowser } from '../../scripts/browser.mjs'
import { runTool } from '../../scripts/run.mjs'
import type { Bridge, BridgeOptions } from '../../src/bridge/bridge.js'
import { openBridge } from '../../src/bridge/bridge.js'
import { expect, test as base } from './fixtures.js'

interface Fixtures {
  bridge(path?: string, options?: Partial<BridgeOptions>): Promise<Bridge>
  connect(bridge: Bridge, asked?: string[]): Promise<Client>
}

const yes: ElicitResult = { action: 'accept', content: { confirm: true } }

const test = base.extend<Fixtures>({
  bridge: async ({ baseURL }, use) => {
    const open: Bridge[] = []
    await use(async (path = '/test/e2e/pages/road.html', options = {}) => {
      const browser = findBrowser()
      const url = `${baseURL}${path}`
      const http = { port: 0, host: '127.0.0.1', token: undefined, origins: [] }
      const maxMessage = 8 * 1024 * 1024
      const onerror = (): void => undefined
      const bridge = await openBridge({ url, http, maxMessage, onerror, ...(browser && { browser }), ...options })
      open.push(bridge)
      return bridge
    })
    await Promise.all(open.map((bridge) => bridge.close()))
  },
  connect: async ({}, use) => {
    const clients: Client[] = []
    await use(async ({ url }, asked = []) => {
      const client = new Client({ name: 'http', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message)
        return yes
      })
      clients.push(client)
      await client.connect(new StreamableHTTPClientTransport(new URL(String(url))))
      return client
    })
    await Promise.all(clients.map((client) => client.close()))
  }
})

test('callToolStream over HTTP: a task of the page asks, is answered and returns', async ({ bridge, connect }) => {
  const asked: string[] = []
  const client = await connect(await bridge(), asked)
  await client.listTools()
  const stream = client.experimental.tasks.callToolStream(
    { name: 'confirm_delete', arguments: { filename: 'a.txt' } },
    CallToolResultSchema
  )
  const types: string[] = []
  for await (const message of stream) {
    types.push(message.type)
    if (message.type === 'result') expect(message.result.content).toEqual([{ type: 'text', text: 'Deleted a.txt' }])
  }
  expect(types[0]).toBe('taskCreated')
  expect(types.at(-1)).toBe('result')
  expect(asked).toEqual(['Delete a.txt?'])
})

test('sessions are apart: each client has a connection of its own, and none takes the answers of another', async ({
  bridge,
  connect
}) => {
  const opened = await bridge()
  const [a, b] = await Promise.all([connect(opened), connect(opened)])
  const tools = await Promise.all([...Array(20).keys()].map((n) => (n % 2 ? a : b).listTools()))
  expect(tools.map(({ tools }) => tools.map(({ name }) => name))).toEqual(tools.map(() => ['confirm_delete']))
})

test('a client that only polls is asked all the same, on the stream of its GET', async ({ bridge, connect }) => {
  const asked: string[] = []
  const client = await connect(await bridge(), asked)
  const params = { name: 'confirm_delete', arguments: { filename: 'p.txt' }, task: {} }
  const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)
  await expect.poll(() => asked).toEqual(['Delete p.txt?'])
  const result = await client.request({ method: 'tasks/result', params: { taskId: task.taskId } }, CallToolResultSchema)
  expect(result.content).toEqual([{ type: 'text', text: 'Deleted p.txt' }])
})

test('a reload of the page and a killed worker pass unnoticed', async ({ bridge, connect }) => {
  const opened = await bridge()
  const client = await connect(opened)
  await client.listTools()
  await opened.page.reload()
  expect((await client.listTools()).tools).toHaveLength(1)
  await killWorker(opened.page)
  expect((await client.listTools()).tools).toHaveLength(1)
})

test('whoever comes from elsewhere is refused', async ({ bridge, request }) => {
  const { url = '' } = await bridge()
  const port = new URL(url).port
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  }
  const post = async (headers: Record<string, string>, data: object = initialize): Promise<number> =>
    (await request.post(url, { headers: { Accept: 'application/json, text/event-stream', ...headers }, data })).status()
  expect(await post({ Host: 'evil.example' })).toBe(403)
  expect(await post({ Host: 'evil.example', Origin: 'http://localhost' })).toBe(403)
  expect(await post({ Origin: 'https://evil.example' })).toBe(403)
  expect(await post({ Origin: 'null' })).toBe(403)
  expect(await post({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).toBe(200)
  expect(await post({ 'Mcp-Session-Id': 'nobody' })).toBe(404)
  expect(await post({}, { ...initialize, method: 'tools/list', params: {} })).toBe(400)
  expect((await request.get(url.replace('/mcp', '/else'))).status()).toBe(404)
})

test('a page without a server, a browser that is not there and a page that does not load are told as that', async ({
  bridge
}) => {
  test.slow()
  await expect(bridge('/test/e2e/pages/road.html', { browser: '/nowhere' })).rejects.toMatchObject({
    message: expect.stringContaining('No browser found at /nowhere')
  })
  await expect(bridge('/', { url: 'http://localhost:1/' })).rejects.toMatchObject({
    message: expect.stringContaining('http://localhost:1/ did not load')
  })
  await expect(bridge('/test/e2e/pages/forms.html')).rejects.toMatchObject({
    message: expect.stringContaining('so there is no server')
  })
})

test('a page that closes ends the bridge, and its clients are told', async ({ bridge, connect }) => {
  const opened = await bridge()
  const client = await connect(opened)
  const asked = client.request({ method: 'tools/list' }, ListToolsResultSchema)
  await asked
  await opened.page.close()
  await expect(opened.ended).rejects.toMatchObject({ code: 'closed' })
  await expect(client.listTools()).rejects.toThrow(/Session not found|closed/)
})

test('the command serves stdio', async ({ baseURL }) => {
  test.slow()
  const client = new Client({ name: 'stdio', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, () => yes)
  expect(await runTool('tsc', ['-p', 'tsconfig.build.json'])).toBe(0)
  const cli = fileURLToPath(new URL('../../dist/bridge/cli.js', import.meta.url))
  const args = [cli, 'bridge', `${baseURL}/test/e2e/pages/road.html`, '--stdio', '--browser', String(findBrowser())]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  const run = await runTask(client, { name: 'confirm_delete', arguments: { filename: 's.txt' } })
  expect(await run.result()).toMatchObject({ content: [{ type: 'text', text: 'Deleted s.txt' }] })
  await client.close()
})
