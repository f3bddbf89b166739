import { runTask } from 'intab'
import { advanceClock, failStorage, freezeTab, hideTab, killWorker, type Mcp, mcp, stallStorage } from 'intab/testing'
import { expect, test as base } from './fixtures.js'

const test = base.extend<{ mcp: Mcp }>({ mcp })
const path = '/test/e2e/pages/life.html'
const hour = 3_600_000

test('a sleep of an hour ends when the clock is moved by an hour, and no sooner', async ({ openTab }) => {
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  const taskId = await page.evaluate((ms) => life.start('nap', { ms }), hour)
  await advanceClock(page, hour / 2)
  // Served in the order in which it is asked: a nap that was over would have ended before this one.
  await page.evaluate(async () => life.result(await life.start('nap', { ms: 0 })))
  expect(await page.evaluate(() => life.statuses())).toMatchObject({ [taskId]: 'working' })
  await advanceClock(page, hour)
  expect(await page.evaluate((id) => life.result(id), taskId)).toEqual(['completed', 'woke in run 1'])
})

test('a worker that starts later has the same clock', async ({ openTab, killWorker }) => {
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  await advanceClock(page, hour)
  const taskId = await page.evaluate((ms) => life.start('nap', { ms }), hour)
  const first = await page.evaluate(() => life.worker())
  await killWorker()
  // Between the two there is none.
  const next = (): Promise<boolean> => page.evaluate((old) => ![undefined, old].includes(life.worker()), first)
  await expect.poll(next).toBe(true)
  await advanceClock(page, hour)
  expect(await page.evaluate((id) => life.result(id), taskId)).toEqual(['completed', 'woke in run 2'])
})

test('the sample of docs/testing.md: a sleep survives a death and a disk that fails', async ({ page, mcp }) => {
  await page.goto(path)
  const client = await mcp()
  const run = await runTask(client, { name: 'nap', arguments: { ms: hour } })
  await killWorker(page)
  await client.ping()
  const restore = await failStorage(page, 'UnknownError', { times: 3 })
  await advanceClock(page, hour)
  expect(await run.result()).toMatchObject({ content: [{ text: expect.stringMatching(/^woke/) }] })
  await restore()
})

test('a clock does not go back, and a page without a worker has none', async ({ page }) => {
  await page.goto('/test/e2e/pages/forms.html')
  for (const ms of [-1, NaN, Infinity]) {
    await expect(advanceClock(page, ms)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(String(ms))
    })
  }
  await expect(advanceClock(page, 1)).rejects.toMatchObject({ code: 'worker_gone' })
})

test('a clock that no Date could show is refused, and the workers go on with theirs', async ({ openTab }) => {
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  for (const ms of [8.64e15, Number.MAX_VALUE]) {
    await expect(advanceClock(page, ms)).rejects.toMatchObject({ code: 'invalid_options' })
  }
  expect(await page.evaluate(async () => life.result(await life.start('nap', { ms: 0 })))).toEqual([
    'completed',
    'woke in run 1'
  ])
})

test('a tab is frozen once, and resumed once', async ({ openTab }) => {
  const page = await openTab(path)
  const refused = { code: 'invalid_options', message: expect.stringContaining('frozen') }
  const resume = await freezeTab(page)
  await expect(freezeTab(page)).rejects.toMatchObject(refused)
  await expect(hideTab(page)).rejects.toMatchObject(refused)
  await expect(stallStorage(page, 1)).rejects.toMatchObject(refused)
  await resume()
  await resume()
  expect(await page.evaluate(() => document.visibilityState)).toBe('visible')
  await (
    await freezeTab(page)
  )()
})

test('a hidden tab knows that it is hidden, and its task goes on', async ({ openTab }) => {
  const page = await openTab(path)
  await page.evaluate(() => life.connected)
  const states = await page.evaluateHandle(() => {
    const seen: string[] = []
    document.addEventListener('visibilitychange', () => seen.push(document.visibilityState))
    return seen
  })
  const show = await hideTab(page)
  expect(await page.evaluate(() => document.hidden)).toBe(true)
  expect(await page.evaluate(async () => life.result(await life.start('nap', { ms: 0 })))).toEqual([
    'completed',
    'woke in run 1'
  ])
  const showAgain = await hideTab(page)
  await show()
  await show()
  expect(await page.evaluate(() => document.hidden)).toBe(true)
  await showAgain()
  expect(await states.jsonValue()).toEqual(['hidden', 'visible'])
})

test('the question of a frozen tab is answered in another, and the frozen one gets the result when it resumes', async ({
  openTab
}) => {
  const frozen = await openTab(path)
  const taskId = await frozen.evaluate(async () => {
    await life.connected
    const taskId = await life.start('survey')
    Object.assign(globalThis, { ended: life.result(taskId) })
    return taskId
  })
  await expect.poll(() => frozen.evaluate(() => life.asked.length)).toBe(1)
  const resume = await freezeTab(frozen)
  let answered = false
  const asked = frozen.evaluate(() => life.asked.length).finally(() => (answered = true))

  const other = await openTab(path)
  await other.evaluate(() => life.connected)
  const result = other.evaluate((id) => life.result(id), taskId)
  await expect.poll(() => other.evaluate(() => life.asked.length)).toBe(1)
  await other.evaluate(() => life.answer({ action: 'accept', content: {} }))
  expect(await result).toEqual(['completed', 'accept'])
  expect(answered).toBe(false)

  await resume()
  expect(await asked).toBe(1)
  expect(await frozen.evaluate(() => Reflect.get(globalThis, 'ended') as unknown)).toEqual(['completed', 'accept'])
})
