// Two workers of one database alive at once: two names of one script, or one dedicated worker per tab.

import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.js'

const path = '/test/e2e/pages/life.html'
const pairs: [rule: string, one: string, two: string][] = [
  ['two SharedWorkers', `${path}?name=life-one`, `${path}?name=life-two`],
  ['a dedicated worker per tab', `${path}?dedicated&name=life-one`, `${path}?dedicated&name=life-two`]
]

const ready = (page: Page): Promise<void> => page.evaluate(() => life.connected)
const result = (page: Page, taskId: string) => page.evaluate((id) => life.result(id), taskId)
const asked = (page: Page): Promise<string[]> => page.evaluate(() => life.asked)

for (const [rule, one, two] of pairs) {
  test(`F8 ${rule}: the task runs in one, its question and its result come in the other`, async ({ openTab }) => {
    const a = await openTab(one)
    const b = await openTab(two)
    await Promise.all([ready(a), ready(b)])
    expect(await a.evaluate(() => life.worker())).not.toBe(await b.evaluate(() => life.worker()))
    const taskId = await a.evaluate(() => life.start('survey'))
    const ending = result(b, taskId)
    await expect.poll(() => asked(b)).toHaveLength(1)
    const alsoEnding = result(a, taskId)
    await b.evaluate(() => life.answer({ action: 'accept', content: {} }))
    expect(await ending).toEqual(['completed', 'accept'])
    expect(await alsoEnding).toEqual(['completed', 'accept'])
    expect(await asked(a)).toEqual([])
    expect(await a.evaluate(() => life.notes())).toEqual([`${taskId} before`, `${taskId} after`])
  })

  test(`F18 ${rule}: when the tab of one closes, the other takes over its task`, async ({ openTab }) => {
    const a = await openTab(one)
    const b = await openTab(two)
    await Promise.all([ready(a), ready(b)])
    const taskId = await a.evaluate(() => life.start('survey'))
    const deleting = await a.evaluate(() => life.start('confirm_delete', { filename: 'a.txt' }))
    await expect.poll(() => b.evaluate(() => life.notes())).toEqual([`${taskId} before`])
    // The step is kept once the task asks; one that is not kept yet would be done again.
    await expect.poll(() => b.evaluate(() => life.statuses())).toMatchObject({ [taskId]: 'input_required' })
    await a.close()
    const ending = result(b, taskId)
    await expect.poll(() => asked(b)).toHaveLength(1)
    await b.evaluate(() => life.answer({ action: 'accept', content: {} }))
    expect(await ending).toEqual(['completed', 'accept'])
    expect(await b.evaluate(() => life.notes())).toEqual([`${taskId} before`, `${taskId} after`])
    expect((await result(b, deleting))[1]).toBe('The worker that ran this task stopped before it finished')
  })
}
