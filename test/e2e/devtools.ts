// What the specs of the devtools do in an app that has them.
import type { Page } from '@playwright/test'
import { faults } from './axe.js'
import { expect } from './fixtures.js'

const path = '/test/e2e/pages/devtools.html'

export async function openApp(openTab: (path: string) => Promise<Page>): Promise<Page> {
  const page = await openTab(path)
  await page.evaluate(() => inspected.connected)
  return page
}

export const choosePane = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('tabpanel', { name })).toBeVisible()
}

/** Axe in light, dark and narrow, and pictures for people to look at. */
export async function look(page: Page, name: string, path: (file: string) => string): Promise<void> {
  const wide = page.viewportSize()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: path(`${name}-${colorScheme}.png`) })
    expect(await faults(page), colorScheme).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 760 })
  await page.screenshot({ path: path(`${name}-narrow.png`) })
  expect(await faults(page), 'narrow').toEqual([])
  if (wide !== null) await page.setViewportSize(wide)
}
