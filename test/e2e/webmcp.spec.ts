// The browser's own WebMCP, as an agent reaches it: https://playwright.dev/docs/api/class-webmcp
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const url = '/test/e2e/pages/webmcp.html'

/** Resolves when the tools are offered. */
const offered = (page: Page) => page.evaluate(async () => (await webmcp.offered).supported)
const questions = (page: Page) => expect.poll(() => page.evaluate(() => webmcp.questions()))
const answer = (page: Page, action: 'accept' | 'decline' = 'accept') =>
  page.evaluate((chosen) => webmcp.answer(chosen), action)

test.use({ args: ['--enable-features=WebMCP'] })

test('an agent sees the tools that the page chose, and calls task tools and others', async ({ openTab }) => {
  const page = await openTab(url)
  expect(await offered(page)).toBe(true)
  const tools = await page.webmcp.tools()
  expect(tools.map(({ name }) => name).sort()).toEqual(['confirm_delete', 'look'])
  expect(tools.find(({ name }) => name === 'confirm_delete')).toMatchObject({
    description: 'Asks before deleting',
    inputSchema: { type: 'object', properties: { filename: { type: 'string' } }, required: ['filename'] }
  })
  // A description is required in WebMCP, and not in MCP.
  expect(tools.find(({ name }) => name === 'look')).toMatchObject({ description: 'look' })
  expect(await page.webmcp.callTool('look')).toMatchObject({ content: [{ text: 'nothing new' }] })

  const call = page.webmcp.callTool('confirm_delete', { filename: 'a.txt' })
  await questions(page).toEqual(['Delete a.txt?'])
  await answer(page, 'decline')
  expect(await call).toMatchObject({ isError: true, content: [{ text: 'Kept a.txt' }] })
})

test('the result arrives although the worker is killed during the call', async ({ openTab, killWorker }) => {
  const page = await openTab(url)
  await offered(page)
  const call = page.webmcp.callTool('confirm_delete', { filename: 'b.txt' })
  await questions(page).toEqual(['Delete b.txt?'])
  await killWorker('webmcp')
  await expect.poll(async () => (await page.evaluate(() => webmcp.tasks()))[0]?.attempt).toBe(2)
  await questions(page).toEqual(['Delete b.txt?'])
  await answer(page)
  const [task] = await page.evaluate(() => webmcp.tasks())
  expect(await call).toMatchObject({
    content: [{ text: 'Deleted b.txt in attempt 2' }],
    _meta: { 'io.modelcontextprotocol/related-task': { taskId: task?.taskId } }
  })
})

test('a navigation ends the call, and the task goes on', async ({ openTab }) => {
  const page = await openTab(url)
  await offered(page)
  const call = page.webmcp.callTool('confirm_delete', { filename: 'c.txt' }).catch((error: Error) => error.message)
  await questions(page).toEqual(['Delete c.txt?'])
  const [{ taskId } = { taskId: '' }] = await page.evaluate(() => webmcp.statuses)
  await page.reload()
  await offered(page)
  expect(await call).toEqual(expect.any(String))
  const tasks = await page.evaluate(() => webmcp.tasks())
  expect(tasks).toMatchObject([{ taskId, status: 'input_required' }])
  await questions(page).toEqual(['Delete c.txt?'])
  const resumed = page.evaluate((id) => webmcp.resume(id), taskId)
  await answer(page)
  expect(await resumed).toEqual([{ type: 'text', text: expect.stringContaining('Deleted c.txt') }])
})

test('an agent that aborts its call cancels the task', async ({ openTab }) => {
  const page = await openTab(url)
  await offered(page)
  const aborted = page.evaluate(async () => {
    const context = (document as unknown as { modelContext: Agent }).modelContext
    const [tool] = (await context.getTools()).filter(({ name }) => name === 'confirm_delete')
    const controller = new AbortController()
    const call = context.executeTool(tool, { filename: 'd.txt' }, { signal: controller.signal })
    globalThis.stopAgent = () => controller.abort()
    return call.then(String, (error: Error) => error.name)
  })
  await questions(page).toEqual(['Delete d.txt?'])
  await page.evaluate(() => stopAgent())
  expect(await aborted).toBe('AbortError')
  await expect.poll(() => page.evaluate(() => webmcp.tasks())).toMatchObject([{ status: 'cancelled' }])
})

test('tools that the page withdraws are gone', async ({ openTab }) => {
  const page = await openTab(url)
  await offered(page)
  await page.evaluate(async () => (await webmcp.offered).stop())
  expect(await page.webmcp.tools()).toEqual([])
  expect(await page.evaluate(() => webmcp.errors)).toEqual([])
})

test('in a browser without WebMCP nothing is offered, and the page is told so', async ({ context, openTab }) => {
  await context.addInitScript(() => Object.defineProperty(Document.prototype, 'modelContext', { value: undefined }))
  const page = await openTab(url)
  expect(await offered(page)).toBe(false)
  expect(await page.evaluate(async () => (await webmcp.offered).names)).toEqual([])
})

interface Agent {
  getTools(): Promise<{ name: string }[]>
  executeTool(tool: unknown, input: object, options: { signal: AbortSignal }): Promise<unknown>
}

declare global {
  var stopAgent: () => void
}

test('tools that the page registered are lent to the worker by name', async ({ openTab }) => {
  const page = await openTab(url)
  await offered(page)
  await page.evaluate(() => webmcp.register())
  await page.evaluate(() => webmcp.lend('greet', 'plain'))
  expect(await page.evaluate(() => webmcp.call('greet', { who: 'Ann' }))).toMatchObject({
    content: [{ text: 'Hello Ann' }]
  })
  expect(await page.evaluate(() => webmcp.call('plain', {}))).toMatchObject({ content: [{ text: '{"a":1}' }] })
  const refused = page.evaluate(() => webmcp.call('greet', { who: 1 }))
  await expect(refused).rejects.toThrow(/Invalid arguments for tool greet/)
  await expect(page.evaluate(() => webmcp.lend('missing'))).rejects.toThrow(/pageTools cannot find a tool missing/)
})
