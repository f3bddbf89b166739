// The samples of docs/testing.md, which test/docs.test.ts compares with these.

import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { followTask, listTasks, runTask } from 'intab'
import {
  advanceClock,
  deleteStorage,
  failStorage,
  freezeTab,
  hideTab,
  importTasks,
  killWorker,
  type Mcp,
  mcp,
  stallStorage
} from 'intab/testing'
import { expect, test as base } from './fixtures.js'

const test = base.extend<{ mcp: Mcp }>({ mcp })
const app = '/test/e2e/pages/life.html'

test('a file is deleted when the user agrees', async ({ page, mcp }) => {
  await page.goto(app)
  const client = await mcp({
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client) =>
      client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { confirm: true } }))
  })
  const run = await runTask(client, { name: 'confirm_delete', arguments: { filename: 'a.txt' } })
  expect(await run.result()).toMatchObject({ content: [{ text: 'Deleted a.txt' }] })
})

test('a task resumes when its worker dies', async ({ page, mcp }) => {
  await page.goto(app)
  const client = await mcp()
  const run = await runTask(client, { name: 'nap', arguments: { ms: 3_600_000 } })
  await killWorker(page)
  await client.ping() // answered by the next worker
  await advanceClock(page, 3_600_000)
  expect(await run.result()).toMatchObject({ content: [{ text: 'woke in run 2' }] })
})

test('a task survives three failed transactions', async ({ page, mcp }) => {
  await page.goto(app)
  const client = await mcp()
  const run = await runTask(client, { name: 'nap', arguments: { ms: 3_600_000 } })
  await failStorage(page, 'UnknownError', { times: 3 })
  await advanceClock(page, 3_600_000)
  expect(await run.result()).toMatchObject({ content: [{ text: 'woke in run 1' }] })
})

test('a full disk refuses a new task', async ({ page, mcp }) => {
  await page.goto(app)
  const client = await mcp()
  const restore = await failStorage(page, 'QuotaExceededError')
  const call = { name: 'nap', arguments: { ms: 0 } }
  await expect(runTask(client, call)).rejects.toMatchObject({ data: { code: 'quota' } })
  await restore()
  const run = await runTask(client, call)
  expect(await run.result()).toMatchObject({ content: [{ text: 'woke in run 1' }] })
})

test('a slow disk delays a task, and loses nothing', async ({ page, mcp }) => {
  await page.goto(app)
  const client = await mcp()
  const release = await stallStorage(page, 60_000)
  const started = runTask(client, { name: 'nap', arguments: { ms: 0 } })
  await release()
  const run = await started
  expect(await run.result()).toMatchObject({ content: [{ text: 'woke in run 1' }] })
})

test('the user clears the data of the site', async ({ page, mcp }) => {
  await page.goto(app)
  const client = await mcp()
  const run = await runTask(client, { name: 'nap', arguments: { ms: 3_600_000 } })
  await deleteStorage(page)
  await expect(run.result()).rejects.toMatchObject({ code: -32602 })
  expect(await listTasks(client)).toEqual({ tasks: [] })
})

test('a task ends while its tab is hidden', async ({ page, mcp }) => {
  await page.goto(app)
  const client = await mcp()
  const show = await hideTab(page)
  const run = await runTask(client, { name: 'nap', arguments: { ms: 0 } })
  expect(await run.result()).toMatchObject({ content: [{ text: 'woke in run 1' }] })
  await show()
})

test('a frozen tab gets the result when it is resumed', async ({ page, context, mcp }) => {
  await page.goto(app)
  const client = await mcp()
  const run = await runTask(client, { name: 'nap', arguments: { ms: 3_600_000 } })
  const resume = await freezeTab(page)

  const other = await context.newPage()
  await other.goto(app)
  const followed = await followTask(await mcp({ page: other }), run.taskId)
  await advanceClock(other, 3_600_000)
  const result = await followed.result()

  await resume()
  expect(await run.result()).toEqual(result)
})

test('the nap of a bug report ends', async ({ page, mcp }) => {
  await page.goto(app)
  const client = await mcp()
  const [taskId = ''] = await importTasks(page, 'test/bugs/nap.json')
  const run = await followTask(client, taskId)
  await advanceClock(page, 3_600_000)
  expect(await run.result()).toMatchObject({ content: [{ text: 'woke in run 2' }] })
})
