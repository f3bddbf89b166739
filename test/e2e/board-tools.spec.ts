import { connected, dialog, run, task, tasks, tool } from './board.js'
import { expect, test } from './fixtures.js'

test('tools are listed with what they do and whether they run as tasks', async ({ openTab }) => {
  const page = await openTab()
  await expect(connected(page)).toBeVisible()
  const cards = page.locator('details.tool')
  await expect(cards).toHaveCount(7)
  for (const [title, support] of [
    ['Profile a table', 'task or plain'],
    ['Delete a note', 'task only'],
    ['Save a note', 'plain only']
  ] as const) {
    await expect(await tool(page, title)).toContainText(support)
  }
  await expect(await tool(page, 'Delete a note')).toContainText('Asks before it deletes a file')
})

test('what is wrong is said beside its field, and nothing is sent', async ({ openTab }) => {
  const page = await openTab()
  const card = await tool(page, 'Count down')
  const seconds = card.getByLabel('Seconds')
  await seconds.fill('0')
  await card.getByRole('button', { name: 'Run as a task' }).click()
  await expect(seconds).toBeFocused()
  await expect(seconds).toHaveAttribute('aria-invalid', 'true')
  await expect(seconds).toHaveAccessibleDescription(/1/)
  await expect(tasks(page)).toHaveCount(0)
  await seconds.fill('1')
  await expect(seconds).not.toHaveAttribute('aria-invalid')
  await card.getByRole('button', { name: 'Run as a task' }).click()
  await expect(task(page, 'Count down')).toContainText('completed')
})

test('a plain call shows its result where it was made', async ({ openTab }) => {
  const page = await openTab()
  const card = await tool(page, 'Fail on purpose')
  await card.getByLabel('How').selectOption('Throw an error with a code and data')
  await card.getByRole('button', { name: 'Run plainly' }).click()
  await expect(card).toContainText('Out of luck')
  await expect(card).toContainText('Error -32042')
  await expect(card).toContainText('"luck": 0')
})

test('a plain call that was stopped is over', async ({ openTab }) => {
  const page = await openTab()
  const card = await tool(page, 'Count down')
  await card.getByLabel('Seconds').fill('3600')
  await card.getByRole('button', { name: 'Run plainly' }).click()
  await expect(task(page, 'Count down')).toContainText('working')
  await card.getByRole('button', { name: 'Stop' }).click()
  await expect(task(page, 'Count down')).toContainText('cancelled')
})

test('a note is written and, once confirmed, really gone', async ({ openTab }) => {
  const page = await openTab()
  const save = await tool(page, 'Save a note')
  await save.getByRole('textbox', { name: /^Text/ }).fill('dear diary')
  await save.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(save).toContainText('Saved notes.txt (10 characters)')
  for (const text of ['Deleted notes.txt', 'There was no notes.txt']) {
    await run(page, 'Delete a note')
    await dialog(page, 'Delete notes.txt?').getByLabel('Yes, delete it').check()
    await dialog(page).getByRole('button', { name: 'Submit' }).click()
    await expect(task(page, 'Delete a note')).toContainText('completed')
    await task(page, 'Delete a note').getByRole('link').click()
    await expect(page.getByRole('region', { name: 'Outcome' })).toContainText(text)
    await page.getByRole('link', { name: '← All tasks' }).click()
  }
})

test('a call is copied as JSON and as code', async ({ openTab, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await openTab()
  const card = await tool(page, 'Write a haiku')
  await card.getByLabel('Topic').fill('copies')
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
  await card.getByRole('button', { name: 'Copy as JSON' }).click()
  await expect
    .poll(async () => JSON.parse((await copied()) || 'null') as unknown)
    .toEqual({
      method: 'tools/call',
      params: { name: 'write_haiku', arguments: { topic: 'copies' }, task: {} }
    })
  await card.getByRole('button', { name: 'Copy as code' }).click()
  await expect.poll(copied).toContain("import { runTask } from 'intab'")
  expect(await copied()).toContain('"topic": "copies"')
})

test.describe('a table', () => {
  test('that a person drops in is profiled', async ({ openTab }) => {
    const page = await openTab()
    const card = await tool(page, 'Profile a table')
    await card.locator('.file-text').evaluate((element) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['city,size\nBern,1.5\nRome,2.5\n'], 'cities.csv', { type: 'text/csv' }))
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })
    await expect(card).toContainText('cities.csv · 28 B')
    await card.getByLabel('Pause').fill('0')
    await card.getByRole('button', { name: 'Run plainly' }).click()
    await expect(card).toContainText('2 rows, 2 columns')
    await expect(card).toContainText('1.5 to 2.5; mean 2')
  })

  test('that a person chooses is profiled, and can be taken away again', async ({ openTab }) => {
    const page = await openTab()
    const card = await tool(page, 'Profile a table')
    const buffer = Buffer.from('a\n1.5\n')
    await card.getByLabel('A file for CSV').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
    await expect(card).toContainText('a.csv · 6 B')
    await card.getByRole('button', { name: 'Take the file away' }).click()
    await expect(card.getByRole('textbox', { name: /^CSV/ })).toBeVisible()
  })

  test('of the penguins shows progress in every tab, asks about one column, and goes on at 60 % when its worker is killed', async ({
    openTab,
    killWorker
  }, testInfo) => {
    const page = await openTab()
    const other = await openTab()
    await run(page, 'Profile a table', { Pause: '300' })
    const bar = task(page, 'Profile a table').getByRole('progressbar')
    const share = (): Promise<number> => bar.evaluate((element) => (element as HTMLProgressElement).position)
    await expect.poll(share, { intervals: [50] }).toBeGreaterThan(0.55)
    await killWorker('mcp.worker')
    await expect(task(page, 'Profile a table')).toContainText('in run 2')
    expect(await share()).toBeGreaterThan(0.6)
    await expect(task(other, 'Profile a table')).toContainText('in run 2')

    await dialog(page, 'What is this column?').getByLabel('flipper_length_mm').selectOption({ index: 2 })
    await dialog(page).getByRole('button', { name: 'Submit' }).click()
    await task(page, 'Profile a table').getByRole('link').click()
    const outcome = page.getByRole('region', { name: 'Outcome' })
    await expect(outcome).toContainText('344 rows, 7 columns')
    await expect(outcome).toContainText('flipper_length_mm  category')
    const picture = outcome.getByRole('img', { name: 'Image of the result' })
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [390, 'dark']
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth)).toBe(472)
      const natural = await picture.evaluate((img: HTMLImageElement) => img.naturalWidth / img.naturalHeight)
      const [drawn, place] = await Promise.all([picture.boundingBox(), outcome.boundingBox()])
      expect(drawn?.width).toBeLessThanOrEqual(place?.width ?? 0)
      expect((drawn?.width ?? 0) / (drawn?.height ?? 0)).toBeCloseTo(natural, 1)
      await picture.scrollIntoViewIfNeeded()
      // For people to look at.
      await page.screenshot({ path: testInfo.outputPath(`${width}-${colorScheme}.png`) })
    }
    await outcome.getByText('Structured content').click()
    await expect(outcome).toContainText('"value": "Adelie"')
  })
})
