import type { Page } from '@playwright/test'
import { connected, dialog, open, run, task } from './board.js'
import { expect, test } from './fixtures.js'
import { Profile } from './profile.js'
import { StaticServer } from './static-server.js'

const installed = (page: Page): Promise<unknown> => page.evaluate(() => navigator.serviceWorker.ready.then(() => true))

test('the page can be installed', async ({ openTab }) => {
  const page = await openTab()
  const cdp = await page.context().newCDPSession(page)
  const { errors, data = '' } = await cdp.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = JSON.parse(data) as { name: string; display: string; icons: { src: string; sizes: string }[] }
  expect(manifest).toMatchObject({ name: 'intab board', display: 'standalone' })
  for (const { src } of manifest.icons) {
    expect(await page.evaluate(async (icon) => (await fetch(icon)).headers.get('content-type'), src)).toContain(
      'image/'
    )
  }
  expect((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
})

test('once seen, the board works when its server is gone and the browser was restarted', async ({}, info) => {
  const server = new StaticServer()
  const profile = new Profile(info.outputPath('profile'), await server.start())
  let page = await (await profile.open()).newPage()
  await page.goto('/')
  await installed(page)
  await run(page, 'Fail on purpose')
  await expect(task(page, 'Fail on purpose')).toContainText('failed')
  await open(page, 'Fail on purpose')
  const link = page.url()
  await server.stop()
  await profile.kill()

  page = await (await profile.open()).newPage()
  await page.goto(link)
  await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('The handler threw this')
  await page.getByRole('link', { name: '← All tasks' }).click()
  await run(page, 'Profile a table', { Pause: '0' })
  await dialog(page, 'What is this column?').getByRole('button', { name: 'Submit' }).click()
  await expect(task(page, 'Profile a table')).toContainText('completed')
  await profile.close()
})

test('a new version is announced, and taken when the person says so', async ({}, info) => {
  const server = new StaticServer()
  const profile = new Profile(info.outputPath('profile'), await server.start())
  const context = await profile.open()
  const page = await context.newPage()
  await page.goto('/')
  await installed(page)
  await page.reload()
  await expect(connected(page)).toBeVisible()
  await run(page, 'Count down', { Seconds: '3600' })
  await expect(task(page, 'Count down')).toContainText('working')

  server.changes.set('sw.js', '/* a new build */')
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
  await expect(page.getByText('A new version of this page is ready.')).toBeVisible()
  const loads: string[] = []
  page.on('load', () => loads.push('load'))
  await expect(task(page, 'Count down')).toContainText('working')
  expect(loads).toEqual([])
  await page.locator('#alerts').getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => loads).toEqual(['load'])
  await expect(connected(page)).toBeVisible()
  await expect(page.getByText('A new version of this page is ready.')).toBeHidden()
  await expect(task(page, 'Count down')).toContainText('working')
  await profile.close()
  await server.stop()
})
