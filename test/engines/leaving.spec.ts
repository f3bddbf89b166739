// A tab that leaves at every moment at once: test/e2e/tabs-leave.spec.ts has each of them alone, in Chromium.
import { connected, expect, type Tab, test } from './fixtures.js'

/** Begins everything that a tab can be in the middle of; in its last turn it answers one question and makes a call. */
const begin = (tab: Tab): Promise<void> =>
  tab.run(async () => {
    const answered = await app.start('ask')
    app.keepFollowing(answered)
    while (app.shown().length < 1) await new Promise((resolve) => setTimeout(resolve, 10))
    app.keepFollowing(await app.start('sleep', { ms: 300 }))
    app.keepFollowing(await app.start('ask'))
    // The page leaves before the answer comes, so nobody hears of it.
    app.call('ask').catch(() => undefined)
    while (app.shown().length < 3) await new Promise((resolve) => setTimeout(resolve, 10))
    const [first] = app.shown()
    app.answerOne(first ?? '', 'by the first')
    app.call('ask').catch(() => undefined)
  })

interface Way {
  name: string
  leave(tab: Tab, elsewhere: string): Promise<void>
  /** Another tab goes on, which was there before. */
  another?: true
}

const ways: Way[] = [
  { name: 'reloads, and its worker dies with it', leave: (tab) => tab.reload() },
  { name: 'reloads beside another', another: true, leave: (tab) => tab.reload() },
  { name: 'closes', another: true, leave: (tab) => tab.close() },
  { name: 'navigates away', another: true, leave: (tab, elsewhere) => tab.goto(elsewhere) }
]

for (const { name, leave, another } of ways) {
  test(`a tab that ${name} in the middle of everything: nothing is lost, and nothing done twice`, async ({
    open,
    site
  }) => {
    const other = another && (await open())
    const first = await open()
    await begin(first)
    await leave(first, `${site.origin}/favicon.svg`)
    const next = other ?? first
    await connected(next)
    const ends = await next.run(async () => {
      app.automatic = 'by the next'
      app.answer('by the next')
      const tasks = Object.keys(await app.statuses())
      return Promise.all(tasks.map((id) => app.follow(id)))
    })
    const texts = ends.map(([status, text]) => `${status}: ${text}`).sort()
    // What was said in the last turn counts if it got out, and then once.
    const sure = ['completed: done', 'completed: q by the next', 'completed: q by the next']
    const may = ['completed: q by the first', 'completed: q by the next']
    for (const text of sure) expect(texts.splice(texts.indexOf(text), 1)).toEqual([text])
    expect(may.length + 1).toBeGreaterThan(texts.length)
    for (const text of texts) expect(may).toContain(text)
    const asked = await next.run(() => app.asked.map(({ id }) => id))
    expect(new Set(asked).size).toBe(asked.length)
  })
}

test('the tab that made the worker closes: the worker goes on, or the next one has its tasks, and says so', async ({
  open
}, { project }) => {
  const first = await open()
  const other = await open()
  const [sleeping, endless] = await first.run(async () => [
    await app.start('sleep', { ms: 300 }),
    await app.start('endless')
  ])
  const before = await other.run(
    (...ids) => {
      for (const id of ids) app.keepFollowing(id)
      return app.worker()
    },
    ...([sleeping, endless] as string[])
  )
  await first.close()
  await expect.poll(() => other.run((id) => app.followed[id], sleeping)).toEqual(['completed', 'done'])
  // WebKit may run the script again, for the tabs that are left: docs/life.md tells of it.
  const outcome = (): Promise<string> =>
    other.run(
      async (id, worker) => {
        const { [id]: status = 'gone' } = await app.statuses()
        const { [id]: end } = app.followed
        return `${app.worker() === worker ? 'the same' : 'the next'} worker: ${end?.join(', ') ?? status}`
      },
      endless ?? '',
      before
    )
  const failed = 'failed, The worker that ran this task stopped before it finished'
  // Without SharedWorker the tab's own worker closes with it, and the other tab has had another all along.
  const expected =
    project.name === 'chromium-no-shared-worker'
      ? `the same worker: ${failed}`
      : `(the same worker: working|the next worker: ${failed})`
  await expect.poll(outcome).toMatch(new RegExp(`^${expected}$`))
  expect(await other.run(() => app.call('version'))).toBe('1')
})
