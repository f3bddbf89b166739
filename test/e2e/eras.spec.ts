// The tab's functions with the Client of either SDK, on the same rows.
import { expect, type Page, test } from './fixtures.js'

const page = '/test/e2e/pages/eras.html'
const accept = { action: 'accept', content: { confirm: true } } as const
const deleted = (filename: string) => [{ type: 'text', text: `Deleted ${filename}` }]

const questions = (tab: Page) => tab.evaluate(() => eras.questions)
const follow = (tab: Page, taskId: string) => tab.evaluate((id) => eras.follow(id), taskId)
const start = (tab: Page, filename: string) => tab.evaluate((name) => eras.start(name), filename)
const answer = (tab: Page) => tab.evaluate((result) => eras.answer(result), accept)
const result = (tab: Page) => tab.evaluate(() => eras.result())
const connected = (tab: Page) => tab.evaluate(() => eras.connected)

test('a task of SDK v2’s Client on 2026-07-28 outlives its worker while it asks, and a tab of 2025-11-25 follows it', async ({
  openTab,
  killWorker
}) => {
  const modern = await openTab(`${page}?v2`)
  expect(await connected(modern)).toBe('2026-07-28')
  const taskId = await start(modern, 'a.txt')
  await expect.poll(() => questions(modern)).toEqual(['Delete a.txt?'])
  // It cannot be asked, so that the question goes nowhere else when the worker dies.
  const legacy = await openTab(`${page}?mute`)
  expect(await connected(legacy)).toBe('2025-11-25')
  await follow(legacy, taskId)

  await killWorker('eras')
  await answer(modern)
  for (const tab of [modern, legacy]) {
    expect(await result(tab)).toEqual({ content: deleted('a.txt'), attempt: 2 })
    expect(await tab.evaluate(() => eras.list())).toEqual([taskId])
    await expect.poll(() => tab.evaluate(() => eras.heard.at(-1))).toBe('completed')
  }
  expect(await questions(modern)).toEqual(['Delete a.txt?'])
})

for (const [from, to] of [
  ['2026-07-28', '2025-11-25'],
  ['2025-11-25', '2026-07-28']
] as const) {
  test(`a question that a tab of ${from} leaves behind goes to one of ${to}`, async ({ openTab }) => {
    const open = (version: string) => openTab(version === '2026-07-28' ? `${page}?v2` : page)
    const [first, second] = [await open(from), await open(to)]
    expect([await connected(first), await connected(second)]).toEqual([from, to])
    const taskId = await start(first, 'b.txt')
    await expect.poll(() => questions(first)).toEqual(['Delete b.txt?'])
    await follow(second, taskId)
    await first.close()

    await expect.poll(() => questions(second)).toEqual(['Delete b.txt?'])
    await answer(second)
    expect(await result(second)).toMatchObject({ content: deleted('b.txt') })
  })
}
