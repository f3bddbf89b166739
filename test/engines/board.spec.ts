// The board in each engine, with a picture for people to look at in test-results/engines.
import { writeFile } from 'node:fs/promises'
import { expect, type Tab, test } from './fixtures.js'

const text = (tab: Tab): Promise<string> => tab.run(() => document.body.innerText)

test('the board connects, runs a tool, and shows its task in a second tab', async ({ engine, site, target }, info) => {
  const tab = await engine.open(`${site.origin}/`)
  await expect.poll(() => text(tab)).toMatch(/connected to worker \w{4}/)
  // The tools are listed after the connection is made.
  await expect.poll(() => text(tab)).toContain('Fail on purpose')
  await tab.run(() => {
    const cards = [...document.querySelectorAll<HTMLDetailsElement>('details.tool')]
    const card = cards.find((each) => each.textContent?.includes('Fail on purpose'))
    card?.querySelector<HTMLElement>('summary')?.click()
    const buttons = [...(card?.querySelectorAll('button') ?? [])]
    buttons.find((button) => button.textContent === 'Run as a task')?.click()
  })
  await expect.poll(() => text(tab)).toContain('The handler threw this')
  const other = await engine.open(`${site.origin}/`)
  await expect.poll(() => text(other)).toContain('The handler threw this')
  // WebKitWebDriver never returns the picture of MiniBrowser's hidden tabs.
  if (target !== 'webkit') {
    await writeFile(info.outputPath('board.png'), await other.screenshot())
  }
  await other.close()
  await tab.close()
})

test('once seen, the board loads without its server', async ({ engine, site }) => {
  const tab = await engine.open(`${site.origin}/`)
  await expect.poll(() => text(tab)).toMatch(/connected to worker \w{4}/)
  await tab.run(async () => void (await navigator.serviceWorker.ready))
  await site.stop()
  await tab.reload()
  await expect.poll(() => text(tab)).toMatch(/connected to worker \w{4}/)
  await tab.close()
})
