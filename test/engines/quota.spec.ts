// A site whose storage is full, in the engines that can be given little: `npm test` has Chromium's.
import { connected, expect, test } from './fixtures.js'

const room = 12_000_000
const piece = 1_000_000

test('a site that is full says so, still serves calls, and has lost none of its results', async ({
  launch,
  site,
  target
}, info) => {
  test.skip(!['firefox', 'webkit-disk'].includes(target), 'this driver cannot limit the storage of an origin')
  test.fixme(
    target === 'firefox',
    'one run refused a task as it should, one did not end within 200 s; the cause is not known'
  )
  const browser = await launch(info.outputPath('profile'), { room })
  try {
    const tab = await browser.open(`${site.origin}/tab.html`)
    await connected(tab)
    const { kept, why } = await tab.run(async (bytes) => {
      const kept: string[] = []
      for (;;) {
        if (kept.length * bytes > 100_000_000) throw new Error('100 MB were stored')
        const id = await app.start('large', { bytes }).catch((error: Error) => error)
        if (typeof id !== 'string') return { kept, why: `A task is refused: ${id.message}` }
        for (;;) {
          const [status, message] = await app.status(id)
          if (status === 'completed') break
          if (message?.includes('full')) return { kept, why: message }
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
        kept.push(id)
      }
    }, piece)
    expect(why).toMatch(/^(The result is ready, but|A task is refused: .*) ?the storage of this site is full/i)
    expect(await tab.run(() => app.call('version'))).toBe('1')
    const ends = await tab.run((ids) => Promise.all(ids.map((id) => app.follow(id))), kept)
    expect(ends.map(([status, text]) => [status, text.length])).toEqual(kept.map(() => ['completed', piece]))
    const removed = await tab.run(
      (id) =>
        app.remove(id).then(
          () => 'a task can be deleted',
          (error: Error) => `no task can be deleted (${error.message})`
        ),
      kept[0] ?? ''
    )
    console.log(`${target}: full after ${kept.length} results of ${piece / 1e6} MB: ${why}; ${removed}`)
    expect(kept.length).toBeGreaterThan(3)
  } finally {
    await browser.close()
  }
})
