import { banner, dialog, open, run, task } from './board.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const ask = (page: Page, filename: string): Promise<void> => run(page, 'Delete a note', { File: filename })
const press = (page: Page, name: string): Promise<void> =>
  dialog(page).getByRole('button', { name, exact: true }).click()

test('a question opens in the tab that holds it, is told in every tab, and goes everywhere when it is answered', async ({
  openTab
}) => {
  const a = await openTab()
  const b = await openTab()
  await ask(a, 'shared.txt')
  await expect(dialog(a, 'Delete shared.txt?')).toBeVisible()
  await expect(dialog(b)).toBeHidden()
  for (const page of [a, b]) await expect(page).toHaveTitle('(1) intab board')
  await expect(banner(b)).toContainText(/Delete shared.txt\?.*in another tab/)
  await press(a, 'Decline')
  for (const page of [a, b]) {
    await expect(page).toHaveTitle('intab board')
    await expect(page.locator('#questions')).toBeHidden()
    await expect(task(page, 'Delete a note')).toContainText('completed')
  }
})

for (const [name, act, said] of [
  ['accept', (page: Page) => press(page, 'Submit'), 'answered: accept'],
  ['decline', (page: Page) => press(page, 'Decline'), 'answered: decline'],
  ['cancel', (page: Page) => press(page, 'Cancel'), 'answered: cancel'],
  ['cancel by Escape', (page: Page) => page.keyboard.press('Escape'), 'answered: cancel']
] as const) {
  test(`a person can ${name}, and the tool learns which`, async ({ openTab }) => {
    const page = await openTab()
    await ask(page, 'a.txt')
    await expect(dialog(page)).toBeVisible()
    await act(page)
    await expect(dialog(page)).toBeHidden()
    await expect(task(page, 'Delete a note')).toContainText('completed')
    await open(page, 'Delete a note')
    await expect(page.getByRole('list', { name: 'Timeline' })).toContainText(said)
  })
}

test('a tab takes a question over, and with it what was typed there', async ({ openTab }) => {
  const a = await openTab()
  const b = await openTab()
  await ask(a, 'moved.txt')
  await dialog(a).getByLabel('Yes, delete it').check()
  await b.bringToFront()
  await banner(b).getByRole('button', { name: 'Take over here' }).click()
  await expect(dialog(b, 'Delete moved.txt?').getByLabel('Yes, delete it')).toBeChecked()
  await expect(dialog(a)).toBeHidden()
  await press(b, 'Submit')
  await expect(task(a, 'Delete a note')).toContainText('completed')
})

test('a draft survives a reload, in the tab that held the question', async ({ openTab }) => {
  const a = await openTab()
  const b = await openTab()
  await ask(a, 'draft.txt')
  await expect(dialog(a)).toBeVisible()
  await b.bringToFront()
  await banner(b).getByRole('button', { name: 'Take over here' }).click()
  await dialog(b).getByLabel('Yes, delete it').check()
  await b.reload()
  await expect(dialog(b).getByLabel('Yes, delete it')).toBeChecked()
  await expect(dialog(a)).toBeHidden()
  await press(b, 'Submit')
  await expect(task(b, 'Delete a note')).toContainText('completed')
  expect(await b.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')))).toEqual([])
})

test('a question that comes or goes moves nothing on the page', async ({ openTab }) => {
  const page = await openTab()
  await ask(page, 'still.txt')
  await press(page, 'Later')
  await expect(banner(page)).toBeVisible()
  const place = () =>
    page.locator('main').evaluate((main) => {
      const { x, y } = main.getBoundingClientRect()
      return [x + scrollX, y + scrollY]
    })
  const before = await place()
  const line = await banner(page).getByRole('button', { name: 'Answer' }).elementHandle()
  await page.getByRole('group', { name: 'Show tasks by status' }).getByRole('button').first().click()
  await ask(page, 'other.txt')
  await press(page, 'Decline')
  await expect(page).toHaveTitle('(1) intab board')
  // The same button: a click that had begun meanwhile reaches it.
  expect(await line?.evaluate((element) => element.isConnected)).toBe(true)
  await banner(page).getByRole('button', { name: 'Answer' }).click()
  await press(page, 'Decline')
  await expect(page.locator('#questions')).toBeHidden()
  expect(await place()).toEqual(before)
})

test('a question that is set aside waits, and is opened again', async ({ openTab }) => {
  const page = await openTab()
  await ask(page, 'later.txt')
  await press(page, 'Later')
  await expect(dialog(page)).toBeHidden()
  await expect(task(page, 'Delete a note')).toContainText('needs an answer')
  await banner(page).getByRole('button', { name: 'Answer' }).click()
  await press(page, 'Decline')
  await expect(task(page, 'Delete a note')).toContainText('completed')
})

test('several questions come one after the other', async ({ openTab }) => {
  const page = await openTab()
  await ask(page, 'first.txt')
  await press(page, 'Later')
  await ask(page, 'second.txt')
  await expect(dialog(page, 'Delete second.txt?')).toBeVisible()
  await expect(page).toHaveTitle('(2) intab board')
  await press(page, 'Decline')
  await expect(page).toHaveTitle('(1) intab board')
  await banner(page).getByRole('button', { name: 'Answer' }).click()
  await expect(dialog(page, 'Delete first.txt?')).toBeVisible()
})

test('a cancelled task takes its question away', async ({ openTab }) => {
  const a = await openTab()
  const b = await openTab()
  await ask(a, 'never.txt')
  await expect(dialog(a)).toBeVisible()
  await b.bringToFront()
  await task(b, 'Delete a note').getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(a)).toBeHidden()
  await expect(task(a, 'Delete a note')).toContainText('cancelled')
})

test('a question by URL shows its host, and opens nothing before the person says so', async ({ openTab, context }) => {
  await context.route('https://allisonhorst.github.io/**', (route) => route.fulfill({ body: 'penguins' }))
  const requests: string[] = []
  context.on('request', (request) => requests.push(new URL(request.url()).host))
  const page = await openTab()
  await run(page, 'Open the source of the data')
  await expect(dialog(page)).toContainText('allisonhorst.github.io')
  await expect(dialog(page).getByRole('heading')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeVisible()
  expect(context.pages()).toHaveLength(2)
  expect(requests).not.toContain('allisonhorst.github.io')

  const opened = context.waitForEvent('page')
  await press(page, 'Open allisonhorst.github.io')
  await expect.poll(async () => (await opened).url()).toBe('https://allisonhorst.github.io/palmerpenguins/')
  await expect(task(page, 'Open the source of the data')).toContainText('completed')
})

test('a declined question by URL opens nothing', async ({ openTab, context }) => {
  const page = await openTab()
  await run(page, 'Open the source of the data')
  await press(page, 'Decline')
  await open(page, 'Open the source of the data')
  await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('Declined to open the page')
  expect(context.pages()).toHaveLength(2)
})
