import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.js'
import type { Act, Ending } from './soak/facts.js'

/** Two tabs over two workers; the fixtures fail the test for whatever goes uncaught in a page or a worker. */
const path = (worker: string): string => `/test/e2e/pages/soak.html?tab=${worker}&worker=${worker}`

const start = (page: Page, acts: Act[], ttl?: number): Promise<string> =>
  page.evaluate(([given, asked]) => soak.start('durable', { label: 'x', acts: given }, asked), [acts, ttl] as const)
const follow = (page: Page, taskId: string): Promise<Ending> => page.evaluate((id) => soak.follow(id), taskId)

interface State {
  acts: Act[]
  /** A tab whose person is asked waits for the task. */
  shown?: true
}

const states: Record<string, State> = {
  'its question is queued': { acts: ['step', 'ask'] },
  'its question is on a screen': { acts: ['step', 'ask'], shown: true },
  'it works': { acts: ['step', ...Array.from({ length: 1000 }, (): Act => 'nap')] }
}

for (const [state, { acts, shown }] of Object.entries(states)) {
  for (const end of ['is cancelled', 'expires'] as const) {
    test(`a task that ${end} while ${state}: all hear the same, in two workers, and nothing goes uncaught`, async ({
      openTab,
      context
    }) => {
      await context.exposeFunction('tell', () => undefined)
      const [near, far] = [await openTab(path('a')), await openTab(path('b'))]
      for (const page of [near, far]) await page.evaluate(() => soak.behave('away'))
      const taskId = await start(near, acts, end === 'expires' ? 1500 : undefined)
      const waits: Promise<Ending>[] = []
      if (shown) {
        waits.push(follow(near, taskId))
        await expect.poll(() => near.evaluate(() => soak.onScreen())).toBe(1)
      }
      if (end === 'is cancelled') {
        expect(await far.evaluate((id) => soak.cancel(id), taskId)).toBe('cancelled')
      }
      waits.push(follow(near, taskId), follow(far, taskId), follow(far, taskId))

      const told: Ending =
        end === 'is cancelled'
          ? { status: 'cancelled', text: 'Task was cancelled' }
          : { status: 'failed', text: 'Expired: the task ran longer than its ttl of 1500 ms' }
      for (const ending of await Promise.all(waits)) expect(ending).toEqual(told)
      for (const page of [near, far]) await expect.poll(() => page.evaluate(() => soak.onScreen())).toBe(0)
      const notes = (await near.evaluate(() => soak.takeNotes())).map((line) => JSON.parse(line) as { what: string })
      expect(notes.map(({ what }) => what)).not.toContain('answer')
      expect(notes.length).toBeLessThanOrEqual(3)
    })
  }
}
