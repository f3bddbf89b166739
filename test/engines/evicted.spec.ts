// Storage that goes while nobody uses it, as browsers evict it, or under a running task, as people delete it; and private windows.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from './drivers/driver.js'
import { connected, expect, type Tab, test } from './fixtures.js'

/** The folders in which Chromium, Firefox and WebKit keep what origins store. */
const ofOrigins = /\/(Default\/(IndexedDB|WebStorage)|storage\/default|databases\/indexeddb|data\/storage)$/

/** Deletes what all origins of a profile have stored, and returns where it was. */
async function evict(profile: string): Promise<string[]> {
  const found = await readdir(profile, { recursive: true, withFileTypes: true })
  const folders = found
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => ofOrigins.test(path))
  for (const path of folders) await rm(path, { recursive: true, force: true })
  return folders.map((path) => path.slice(profile.length + 1))
}

const serves = async (tab: Tab): Promise<void> => {
  const end = await tab.run(async () => app.follow(await app.start('quick')))
  expect(end).toEqual(['completed', 'done'])
}

test('storage that was evicted while the browser was closed: its tasks are gone, and new ones run', async ({
  launch,
  site,
  target
}, info) => {
  test.skip(target === 'webkit', 'MiniBrowser under WebDriver keeps its profile in memory')
  test.skip(target === 'chromium-no-shared-worker', 'its storage is that of the target chromium')
  const profile = info.outputPath('profile')
  let browser = await launch(profile)
  try {
    let tab = await browser.open(`${site.origin}/tab.html`)
    await connected(tab)
    await serves(tab)
    const before = await tab.run(() => app.start('endless'))
    await browser.close()
    const where = await evict(profile)
    browser = await launch(profile)
    test.skip(where.length === 0, 'nobody knows where this build keeps what origins store')
    tab = await browser.open(`${site.origin}/tab.html`)
    await connected(tab)
    expect(await tab.run(() => app.statuses())).toEqual({})
    const said = await tab.run((id) => app.follow(id).catch((error: Error) => error.message), before)
    expect(said).toContain('-32602')
    await serves(tab)
    console.log(`${target}: evicted ${where.join(', ')}; then ${String(said)}`)
  } finally {
    await browser.close()
  }
})

test('storage that is deleted under a running task: whoever waits is told, and new tasks run', async ({
  open,
  site
}) => {
  const tab = await open()
  const endless = await tab.run(() => app.start('endless'))
  await tab.run((id) => {
    globalThis.said = app.follow(id).then(String, (error: Error) => error.message)
  }, endless)
  const cleared = await open({}, false)
  await cleared.goto(`${site.origin}/clear`)
  // A call in the middle of the deletion may fail.
  await expect.poll(() => tab.run(() => app.statuses()).catch(String)).toEqual({})
  await serves(tab)
  expect(await tab.run(() => globalThis.said)).toMatch(/-32602.*(expired or was deleted|not found)/)
})

test('a private window serves its tabs, and keeps nothing', async ({ launch, site, target }, info) => {
  test.skip(target === 'webkit-disk', 'the target webkit has private windows only')
  const start = (): Promise<Browser> => launch(info.outputPath('profile'), { isPrivate: true })
  let browser = await start()
  try {
    const tab = await browser.open(`${site.origin}/tab.html`)
    await connected(tab)
    await serves(tab)
    const other = await browser.open(`${site.origin}/tab.html`)
    await connected(other)
    expect(Object.values(await other.run(() => app.statuses()))).toEqual(['completed'])
    const facts = await tab.run(async () => {
      const { storage } = navigator as Partial<Navigator>
      return {
        persisted: (await storage?.persisted?.()) ?? 'not there',
        quota: (await storage?.estimate?.())?.quota ?? 'not there',
        getDirectory: await storage?.getDirectory?.().then(
          () => 'works',
          (error: Error) => error.message
        )
      }
    })
    await browser.close()
    browser = await start()
    const later = await browser.open(`${site.origin}/tab.html`)
    await connected(later)
    expect(await later.run(() => app.statuses())).toEqual({})
    console.log(`${target}, private: ${JSON.stringify(facts)}`)
  } finally {
    await browser.close()
  }
})

declare global {
  var said: Promise<string>
}
