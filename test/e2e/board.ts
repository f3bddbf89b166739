// What the specs of the board do on it, in the words of its screen.
import type { Locator, Page } from '@playwright/test'

/** The card of a tool, opened. */
export async function tool(page: Page, title: string): Promise<Locator> {
  // A tab behind another draws one frame a second, and a click waits for two.
  await page.bringToFront()
  const card = page.locator('details.tool').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  if ((await card.getAttribute('open')) === null) await card.locator('summary').click()
  return card
}

/** Fills in the form of a tool, by label, and runs it as a task. */
export async function run(page: Page, title: string, values: Record<string, string> = {}): Promise<void> {
  const card = await tool(page, title)
  for (const [label, value] of Object.entries(values)) await card.getByLabel(label).fill(value)
  await card.getByRole('button', { name: 'Run as a task' }).click()
}

export const tasks = (page: Page): Locator =>
  page.getByRole('list', { name: 'Tasks', exact: true }).getByRole('listitem')

/** The newest task of a tool. */
export const task = (page: Page, title: string): Locator => tasks(page).filter({ hasText: title }).first()

export const dialog = (page: Page, name?: string): Locator =>
  page.getByRole('dialog', name === undefined ? {} : { name })

export const banner = (page: Page): Locator => page.getByRole('region', { name: /waits? for an answer/ })

/** Opens the newest task of a tool; resolves with its id. */
export async function open(page: Page, title: string): Promise<string> {
  await page.bringToFront()
  await task(page, title).getByRole('link').click()
  await page.getByRole('heading', { level: 2, name: title }).waitFor()
  return new URL(page.url()).hash.split('/').at(-1) ?? ''
}

/** The panel that lets things go wrong, opened. */
export async function whatIf(page: Page): Promise<Locator> {
  await page.bringToFront()
  const panel = page.locator('#what-if')
  if ((await panel.getAttribute('open')) === null) await panel.locator('summary').click()
  return panel
}

export const connected = (page: Page): Locator => page.getByText(/^connected to worker \w{4}$/)
