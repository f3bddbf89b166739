import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { ElicitResult, Progress } from '@modelcontextprotocol/sdk/types.js'
import { followTask, listTasks, runTask, watchTasks } from 'intab'
import type { ConnectOptions, Mcp } from 'intab/testing'
import { connectToPage, killWorker, mcp, onWorkerConsole, PageTransport, workers } from 'intab/testing'
import type { Browser } from '@playwright/test'
import { expect, test as base } from './fixtures.js'

const test = base.extend<{ mcp: Mcp }>({ mcp })
const roadPage = '/test/e2e/pages/road.html'
/** Its worker is made with `extendedLifetime`, as that of the README. */
const extendedPage = '/test/e2e/pages/life.html?extended'

/** A client that answers forms, and remembers what it was asked. */
function answering(answer: ElicitResult | (() => Promise<ElicitResult>), asked: string[] = []): ConnectOptions {
  return {
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) =>
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message)
        return typeof answer === 'function' ? answer() : answer
      })
  }
}

const yes: ElicitResult = { action: 'accept', content: { confirm: true } }
const call = { name: 'confirm_delete', arguments: { filename: 'a.txt' } }

test('a client in Node calls a tool of the page as a task, is asked and gets the result', async ({ page, mcp }) => {
  await page.goto(roadPage)
  const asked: string[] = []
  const client = await mcp(answering(yes, asked))
  expect(client.getServerVersion()).toMatchObject({ name: 'road' })
  const run = await runTask(client, call)
  expect(await run.result()).toMatchObject({ content: [{ type: 'text', text: 'Deleted a.txt' }] })
  expect(asked).toEqual(['Delete a.txt?'])
})

test('a client that comes after the page finds the worker through the browser, and is one more tab to the server', async ({
  page
}) => {
  await page.goto(roadPage)
  await page.evaluate(() => road.connected)
  const client = await connectToPage(page, answering(yes))
  // The one who creates a task is asked first, however late it waits for the result.
  const run = await runTask(client, call)
  expect(await run.result()).toMatchObject({ content: [{ type: 'text', text: 'Deleted a.txt' }] })
  expect(await page.evaluate((id) => road.taskResult(id), run.taskId)).toMatchObject({
    content: [{ text: 'Deleted a.txt' }]
  })
  expect(await page.evaluate(() => road.questions)).toEqual([])
  await client.close()
})

test('a client that comes before the page waits for it', async ({ page }) => {
  const connecting = connectToPage(page)
  await page.goto(roadPage)
  const client = await connecting
  expect((await client.listTools()).tools).toHaveLength(1)
  await client.close()
})

test('a client that comes before the page hears of it again when the first report was lost', async ({ page }) => {
  const expose = page.exposeBinding.bind(page)
  let arrive = (): void => undefined
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  page.exposeBinding = async (name, callback) => {
    let isKnown = false
    const exposed = await expose(name, (source, report: unknown) => (isKnown ? callback(source, report) : undefined))
    return arrived.then(() => (isKnown = true)).then(() => exposed)
  }
  const connecting = connectToPage(page)
  // After this the next document has its agent from the start.
  await page.evaluate(() => undefined)
  await page.goto(roadPage)
  arrive()
  const client = await connecting
  expect((await client.listTools()).tools).toHaveLength(1)
  await client.close()
})

test('a client that comes before the page waits for a worker of extended lifetime, too', async ({ page }) => {
  const connecting = connectToPage(page)
  await page.goto(extendedPage)
  const client = await connecting
  expect(client.getServerVersion()).toMatchObject({ name: 'life' })
  await client.close()
})

test('a client that comes after the page finds a worker of extended lifetime', async ({ page }) => {
  await page.goto(extendedPage)
  await page.evaluate(() => life.connected)
  const client = await connectToPage(page)
  expect(client.getServerVersion()).toMatchObject({ name: 'life' })
  const [worker] = await killWorker(page)
  expect((await listTasks(client)).tasks).toEqual([])
  const named = await connectToPage(page, { worker: { url: String(worker?.url), name: 'life' } })
  expect((await listTasks(named)).tasks).toEqual([])
  await Promise.all([client.close(), named.close()])
})

test('the worker can be named', async ({ page, origin, mcp }) => {
  await page.goto(roadPage)
  await page.evaluate(() => road.connected)
  const all = await workers(page.context().browser() as Browser)
  const worker = all.find(({ url }) => url.startsWith(origin))
  const client = await mcp({ worker: { url: String(worker?.url), name: String(worker?.name) } })
  expect(worker?.name).toBe('road')
  expect(client.getServerVersion()).toMatchObject({ name: 'road' })
})

test('a task is cancelled from Node, and its question is taken back', async ({ page, mcp }) => {
  await page.goto(roadPage)
  let withdrawn = false
  const asked: string[] = []
  const client = await mcp({
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) =>
      client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
        asked.push(params.message)
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            withdrawn = true
            reject(new Error('withdrawn'))
          })
        )
      })
  })
  const run = await runTask(client, call)
  const result = run.result()
  await expect.poll(() => asked).toHaveLength(1)
  await run.cancel()
  expect(await result).toMatchObject({ isError: true })
  await expect.poll(() => withdrawn).toBe(true)
})

test('a reload of the page: the await on the result goes on, and the question is asked again', async ({
  page,
  mcp
}) => {
  await page.goto(roadPage)
  const asked: string[] = []
  const answers: ElicitResult[] = []
  const client = await mcp(
    answering(() => (answers[0] ? Promise.resolve(answers[0]) : new Promise(() => undefined)), asked)
  )
  const run = await runTask(client, call)
  const keeper = await page.context().newPage()
  await keeper.goto(roadPage)
  await keeper.evaluate(() => road.connected)
  const result = run.result()
  await expect.poll(() => asked).toHaveLength(1)
  answers.push(yes)
  await page.reload()
  expect(await result).toMatchObject({ content: [{ type: 'text', text: 'Deleted a.txt' }] })
  expect(asked).toHaveLength(2)
})

test('a killed worker: the next one takes over, and the client goes on', async ({ page, mcp }) => {
  await page.goto(roadPage)
  const client = await mcp(answering(yes))
  const before = await runTask(client, call)
  await before.result()
  const killed = await killWorker(page)
  expect(killed).toMatchObject([{ name: 'road' }])
  expect((await listTasks(client)).tasks).toMatchObject([{ taskId: before.taskId, status: 'completed' }])
  const after = await runTask(client, call)
  expect(await after.result()).toMatchObject({ content: [{ type: 'text', text: 'Deleted a.txt' }] })
})

test('several clients of one page are several tabs', async ({ page, mcp }) => {
  await page.goto(roadPage)
  const asked: string[] = []
  const [a, b] = await Promise.all([mcp(answering(yes, asked)), mcp(answering(yes, asked))])
  const started = await runTask(a, call)
  const followed = await followTask(b, started.taskId)
  const [one, other] = await Promise.all([started.result(), followed.result()])
  expect(one).toMatchObject({ content: [{ type: 'text', text: 'Deleted a.txt' }] })
  expect(other).toEqual(one)
  expect(asked).toHaveLength(1)
})

test('a large message passes whole', async ({ page, mcp }) => {
  await page.goto(roadPage)
  const asked: string[] = []
  const client = await mcp(answering(yes, asked))
  const filename = 'é'.repeat(1_000_000)
  const run = await runTask(client, { name: 'confirm_delete', arguments: { filename } })
  expect(await run.result()).toMatchObject({ content: [{ text: `Deleted ${filename}` }] })
})

test('a page without a server is told as that, within the time that the test gives', async ({ page }) => {
  await page.goto('/test/e2e/pages/forms.html')
  await expect(connectToPage(page, { timeout: 200 })).rejects.toMatchObject({
    code: 'worker_failed',
    message: expect.stringContaining('created no SharedWorker within 200 ms')
  })
})

test('a page that closes ends its clients, and says so', async ({ page }) => {
  await page.goto(roadPage)
  const transport = new PageTransport(page)
  const errors: unknown[] = []
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve))
  transport.onerror = (error) => errors.push(error)
  await transport.start()
  await page.close()
  await closed
  expect(errors).toMatchObject([{ code: 'closed', message: 'The page was closed' }])
  await expect(connectToPage(page)).rejects.toMatchObject({ code: 'closed' })
})

test('a page without a worker has none to kill', async ({ page }) => {
  await page.goto('/test/e2e/pages/forms.html')
  await expect(killWorker(page)).rejects.toMatchObject({ code: 'worker_gone' })
})

test('progress arrives, and the task goes on to its result', async ({ page, mcp }) => {
  await page.goto('/')
  const client = await mcp()
  const heard: Progress[] = []
  const run = await runTask(
    client,
    { name: 'countdown', arguments: { seconds: 1 } },
    { onprogress: (progress) => heard.push(progress) }
  )
  expect((await run.result()).isError).toBeFalsy()
  expect(heard[0]).toMatchObject({ progress: 0, total: 1 })
})

test('a reload of the page: whoever watches the tasks still hears of progress', async ({ page, mcp }) => {
  await page.goto('/')
  const client = await mcp()
  const heard: (number | undefined)[] = []
  await watchTasks(client, { ontask: ({ progress }) => heard.push(progress?.progress) })
  const run = await runTask(client, { name: 'countdown', arguments: { seconds: 3600 } })
  await expect.poll(() => heard.at(-1) ?? 0).toBeGreaterThan(0)
  const before = heard.at(-1) ?? 0
  await page.reload()
  await expect.poll(() => heard.at(-1) ?? 0).toBeGreaterThan(before)
  await run.cancel()
})

test('what a worker does not catch is told', async ({ page }) => {
  const lines: string[] = []
  await onWorkerConsole(page, ({ type, text, worker }) => lines.push(`${worker.name} ${type} ${text}`))
  await page.goto('/test/e2e/pages/troubled.html')
  await expect.poll(() => lines.join('\n')).toMatch(/^troubled exception .*thrown in the worker/m)
})
