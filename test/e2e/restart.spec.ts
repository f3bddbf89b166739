import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.js'
import { Profile } from './profile.js'

const path = '/test/e2e/pages/life.html'
const accept = { action: 'accept', content: {} } as const

const ready = (page: Page): Promise<void> => page.evaluate(() => life.connected)
const start = (page: Page, tool: string, args = {}): Promise<string> =>
  page.evaluate(([name, given]) => life.start(name, given), [tool, args] as const)
const result = (page: Page, taskId: string) => page.evaluate((id) => life.result(id), taskId)
const asked = (page: Page): Promise<string[]> => page.evaluate(() => life.asked)
const answer = (page: Page): Promise<void> => page.evaluate((given) => life.answer(given), accept)
const effects = async (page: Page, taskId: string): Promise<string[]> =>
  (await page.evaluate(() => life.notes())).flatMap((line) =>
    line.startsWith(taskId) ? [line.split(' ')[1] ?? ''] : []
  )

test('F56 the only tab reloads and its worker dies with it: what can resume goes on, the rest says why', async ({
  openTab
}) => {
  const page = await openTab(path)
  await ready(page)
  const survey = await start(page, 'survey')
  const deleting = await start(page, 'confirm_delete', { filename: 'a.txt' })
  const watching = page.evaluate((id) => life.result(id), survey).catch(() => undefined)
  await expect.poll(() => asked(page)).toHaveLength(1)
  const [question] = await asked(page)

  await page.reload()
  await watching
  await ready(page)
  expect(await result(page, deleting)).toEqual(['failed', 'The worker that ran this task stopped before it finished'])
  const ending = result(page, survey)
  await expect.poll(() => asked(page)).toEqual([question])
  await answer(page)
  expect(await ending).toEqual(['completed', 'accept'])
  expect(await effects(page, survey)).toEqual(['before', 'after'])
})

test.describe('a browser that is killed hard', () => {
  test('comes back on the same profile with every acknowledged task, question, answer and outcome', async ({}, info) => {
    const profile = new Profile(info.outputPath('profile'), info.project.use.baseURL ?? '')
    let page = await (await profile.open()).newPage()
    await page.goto(path)
    await ready(page)
    const done = await start(page, 'nap', { ms: 0 })
    expect(await result(page, done)).toEqual(['completed', 'woke in run 1'])
    const napping = await start(page, 'nap', { ms: 3_600_000 })
    const answered = await start(page, 'survey')
    const first = result(page, answered)
    await expect.poll(() => asked(page)).toHaveLength(1)
    await answer(page)
    await first
    const open = await start(page, 'survey')
    const second = result(page, open).catch(() => undefined)
    await expect.poll(() => asked(page)).toHaveLength(2)
    const deleting = await start(page, 'confirm_delete', { filename: 'a.txt' })
    const question = (await asked(page))[1]

    await profile.kill()
    await second
    page = await (await profile.open()).newPage()
    await page.goto(path)
    await ready(page)
    expect(await page.evaluate(() => life.statuses())).toMatchObject({
      [done]: 'completed',
      [answered]: 'completed',
      [napping]: 'working',
      [open]: 'input_required',
      [deleting]: 'failed'
    })
    expect(await result(page, done)).toEqual(['completed', 'woke in run 1'])
    expect(await result(page, answered)).toEqual(['completed', 'accept'])
    const ending = result(page, open)
    await expect.poll(() => asked(page)).toEqual([question])
    await answer(page)
    expect(await ending).toEqual(['completed', 'accept'])
    expect(await effects(page, open)).toEqual(['before', 'after'])
    await profile.close()
  })

  test('F46 has lost none of the tasks that it acknowledged', async ({}, info) => {
    const profile = new Profile(info.outputPath('profile'), info.project.use.baseURL ?? '')
    let page = await (await profile.open()).newPage()
    await page.goto(path)
    await ready(page)
    const acknowledged = await page.evaluate(async () => {
      const ids: string[] = []
      for (let i = 0; i < 20; i++) {
        const some = Array.from({ length: 10 }, () => life.start('nap', { ms: 3_600_000 }))
        ids.push(...(await Promise.all(some)))
      }
      return ids
    })
    await profile.kill()
    page = await (await profile.open()).newPage()
    await page.goto(path)
    await ready(page)
    const found = await page.evaluate(() => life.all())
    expect(acknowledged.filter((id) => !found.includes(id))).toEqual([])
    expect(acknowledged).toHaveLength(200)
    await profile.close()
  })
})

test('a question that was answered while no worker was alive counts', async ({ openTab, killWorker, context }) => {
  const page = await openTab(path)
  await ready(page)
  const survey = await start(page, 'survey')
  const ending = result(page, survey)
  await expect.poll(() => asked(page)).toHaveLength(1)
  await context.setOffline(true)
  await killWorker('life')
  await answer(page)
  await context.setOffline(false)
  expect(await ending).toEqual(['completed', 'accept'])
  expect(await asked(page)).toHaveLength(1)
})

test.describe('with extendedLifetime', () => {
  test('the worker lives over the reload of the only tab, and its tasks with it', async ({ openTab }) => {
    const page = await openTab(`${path}?extended`)
    await ready(page)
    const worker = await page.evaluate(() => life.worker())
    const deleting = await start(page, 'confirm_delete', { filename: 'a.txt' })
    await page.reload()
    await ready(page)
    expect(await page.evaluate(() => life.worker())).toBe(worker)
    const ending = result(page, deleting)
    await expect.poll(() => asked(page)).toHaveLength(1)
    await page.evaluate(() => life.answer({ action: 'accept', content: { confirm: true } }))
    expect(await ending).toEqual(['completed', 'Deleted a.txt'])
  })
})
