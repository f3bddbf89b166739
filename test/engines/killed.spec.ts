// The process in which the worker runs is killed, with the tab that made the worker: no page can die so by itself.
import { end } from './drivers/processes.js'
import { connected, expect, figures, test } from './fixtures.js'

const kills = Number(process.env['INTAB_DEATHS'] ?? 1)
const stopped = 'The worker that ran this task stopped before it finished'

test('the process of the worker is killed: another tab has the next one, visible and hidden', async ({
  launch,
  site,
  target
}, info) => {
  // This only ends what hangs.
  test.setTimeout(200_000 + kills * 100_000)
  const url = `${site.origin}/tab.html`
  const browser = await launch(info.outputPath('profile'))
  const took: Record<string, { answered: number[]; told: number[] }> = {}
  try {
    test.skip(browser.workers === undefined, 'this driver survives no process that is killed')
    const workers = async (): Promise<number[]> => (await browser.workers?.()) ?? []
    for (const hide of Array.from({ length: 2 * kills }, (_, n) => n >= kills)) {
      const first = browser.openApart ? undefined : await browser.open(`${url}?start=endless`)
      await browser.openApart?.(`${url}?start=endless`)
      await expect.poll(workers).toHaveLength(1)
      const [pid = 0] = await workers()
      const tab = await browser.open(url)
      await connected(tab)
      const endless = async (): Promise<string | undefined> =>
        Object.entries(await tab.run(() => app.statuses())).find(([, status]) => status === 'working')?.[0]
      await expect.poll(endless).toBeDefined()
      const lost = (await endless()) ?? ''
      const asking = await tab.run(async (id) => {
        app.keepFollowing(id)
        const task = await app.start('ask')
        app.keepFollowing(task)
        return task
      }, lost)
      await expect.poll(() => tab.run(() => app.shown())).toHaveLength(1)
      const shown = await tab.run(() => app.shown())
      const front = hide ? await browser.open('about:blank') : undefined
      const visibility = await tab.run((id) => {
        app.outlive(id)
        return document.visibilityState
      }, lost)
      const killed = Date.now()
      end([pid], 'SIGKILL')
      await expect.poll(() => tab.run(() => app.outlived.told)).toBeDefined()
      const { answered, told = 0 } = await tab.run(() => app.outlived)
      const all = (took[visibility] ??= { answered: [], told: [] })
      if (answered !== undefined) all.answered.push(answered - killed)
      all.told.push(told - killed)
      expect(await tab.run(() => app.shown())).toEqual(shown)
      await tab.run(() => app.answer('kept'))
      await expect
        .poll(() => tab.run(() => app.followed))
        .toEqual({ [lost]: ['failed', stopped], [asking]: ['completed', 'q kept'] })
      await first?.close().catch(() => undefined)
      await front?.close()
      await tab.close()
      await expect.poll(workers).toEqual([])
    }
  } finally {
    await browser.close()
  }
  for (const [visibility, { answered, told }] of Object.entries(took)) {
    const next = answered.length > 0 ? `next answer ${figures(answered)}; ` : ''
    console.log(`${target}: ${kills} kills, ${visibility}: ${next}end of its task told ${figures(told)}`)
  }
})
