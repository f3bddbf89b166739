import { expect, test } from './fixtures.js'

const page = '/test/e2e/pages/road.html'

test('a task outlives its tab: another one is asked its question, once, and gets its result, and nobody polls', async ({
  openTab
}) => {
  const a = await openTab(page)
  const taskId = await a.evaluate(async () => {
    await road.connected
    const task = await road.callTool('confirm_delete', { filename: 'a.txt' })
    return task.pollInterval === 60_000 ? task.taskId : `polled every ${String(task.pollInterval)} ms`
  })
  const b = await openTab(page)
  await b.evaluate(() => road.connected)
  await a.close()

  const result = b.evaluate((id) => road.taskResult(id), taskId)
  await expect.poll(() => b.evaluate(() => road.questions)).toEqual(['Delete a.txt?'])
  await b.evaluate(() => road.answer({ action: 'accept', content: { confirm: true } }))

  expect(await result).toMatchObject({
    content: [{ type: 'text', text: 'Deleted a.txt' }],
    _meta: { 'io.modelcontextprotocol/related-task': { taskId } }
  })
  expect(await b.evaluate(() => road.questions)).toEqual(['Delete a.txt?'])
})

test('a question that a tab leaves unanswered on its screen goes to the next tab that waits', async ({ openTab }) => {
  const a = await openTab(page)
  const b = await openTab(page)
  const taskId = await a.evaluate(async () => {
    await road.connected
    const { taskId: id } = await road.callTool('confirm_delete', { filename: 'b.txt' })
    road.taskResult(id).catch(() => undefined)
    return id
  })
  await expect.poll(() => a.evaluate(() => road.questions)).toEqual(['Delete b.txt?'])
  const result = b.evaluate(async (id) => {
    await road.connected
    return road.taskResult(id)
  }, taskId)
  await a.close()

  await expect.poll(() => b.evaluate(() => road.questions)).toEqual(['Delete b.txt?'])
  await b.evaluate(() => road.answer({ action: 'decline' }))
  expect(await result).toMatchObject({ content: [{ type: 'text', text: 'Kept' }] })
})
