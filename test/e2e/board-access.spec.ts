import { faults } from './axe.js'
import { dialog, open, run, task, tool, whatIf } from './board.js'
import { expect, test } from './fixtures.js'

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious on any view, ${colorScheme}`, async ({ openTab }) => {
    const page = await openTab()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await run(page, 'Fail on purpose')
    await run(page, 'Count down', { Seconds: '3600' })
    await run(page, 'Delete a note')
    await expect(dialog(page)).toBeVisible()
    expect(await faults(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Later' }).click()
    await (await tool(page, 'Count down')).getByLabel('Seconds').fill('0')
    await (await tool(page, 'Count down')).getByRole('button', { name: 'Run as a task' }).click()
    await whatIf(page)
    await expect(page.getByRole('button', { name: 'Kill the worker' })).toBeVisible()
    expect(await faults(page)).toEqual([])
    await open(page, 'Fail on purpose')
    await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('The handler threw this')
    expect(await faults(page)).toEqual([])
  })
}

test('a task is started, asked, answered and opened without a mouse', async ({ openTab }) => {
  const page = await openTab()
  await expect(page.getByRole('heading', { name: 'Delete a note' })).toBeVisible()
  const press = (key: string): Promise<void> => page.keyboard.press(key)
  const tabTo = async (name: RegExp): Promise<void> => {
    for (let i = 0; i < 40; i++) {
      await press('Tab')
      // Behind the last element comes the browser's own bar: then nothing of the page has the focus.
      const text = await page.evaluate(() => {
        const focused = document.querySelector(':focus')
        return focused?.getAttribute('aria-label') ?? focused?.textContent ?? ''
      })
      if (name.test(text)) return
    }
    throw new Error(`Nothing like ${String(name)} can be reached by Tab`)
  }
  await tabTo(/Delete a note/)
  await press('Enter')
  await press('Tab')
  await page.keyboard.type('by-hand.txt')
  await press('Enter')
  await expect(dialog(page, 'Delete by-hand.txt?')).toBeVisible()
  await expect(dialog(page).getByLabel('Yes, delete it')).toBeFocused()
  await press('Space')
  await tabTo(/Submit/)
  await press('Enter')
  await expect(task(page, 'Delete a note')).toContainText('completed')
  await expect(page.locator('#announcer')).toHaveText('Delete a note: completed')
  await tabTo(/^Cancelled$/)
  await press('Tab')
  await press('Enter')
  await expect(page.getByRole('heading', { name: 'Delete a note', level: 2 })).toBeFocused()
})

for (const width of [360, 768, 1280, 2560]) {
  test(`at ${width} px nothing is cut off`, async ({ openTab }) => {
    const page = await openTab()
    await page.setViewportSize({ width, height: 800 })
    await run(page, 'Profile a table', { Pause: '0' })
    await dialog(page).getByRole('button', { name: 'Submit' }).click()
    await expect(task(page, 'Profile a table')).toContainText('completed')
    const overflow = (): Promise<number> =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await whatIf(page)
    expect(await overflow()).toBe(0)
    await open(page, 'Profile a table')
    await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('344 rows')
    expect(await overflow()).toBe(0)
  })
}

test('who wants less motion sees none', async ({ openTab }) => {
  const page = await openTab()
  await run(page, 'Count down', { Seconds: '3600' })
  const pill = task(page, 'Count down').locator('.pill')
  await expect(pill).toHaveText('working')
  const animation = (): Promise<string> =>
    pill.evaluate((element) => getComputedStyle(element, '::before').animationName)
  expect(await animation()).toBe('pulse')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await animation()).toBe('none')
})
