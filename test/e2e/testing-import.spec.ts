import { readFile, writeFile } from 'node:fs/promises'
import { advanceClock, deleteStorage, importTasks, killWorker } from 'intab/testing'
import type { TaskFile } from '../../src/task-file.js'
import { expect, type Page, test } from './fixtures.js'

const life = '/test/e2e/pages/life.html'
const rows = (page: Page) => page.getByRole('listbox', { name: /^Tasks/ }).getByRole('option')

async function openLife(openTab: (path: string) => Promise<Page>): Promise<Page> {
  const page = await openTab(life)
  await page.evaluate(() => globalThis.life.connected)
  return page
}

/** Presses a button of the devtools that saves a file. */
async function exported(page: Page, name: string, path: string): Promise<TaskFile> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click()
  ])
  await download.saveAs(path)
  return JSON.parse(await readFile(path, 'utf8')) as TaskFile
}

const naps = async (count: number): Promise<TaskFile> => {
  const file = JSON.parse(await readFile('test/bugs/nap.json', 'utf8')) as TaskFile
  const tasks = Array.from({ length: count }, (_, n) => {
    const [copy] = structuredClone(file.tasks)
    if (copy === undefined) throw new Error('test/bugs/nap.json has no task')
    copy.task.taskId = `nap-${n}`
    delete copy.task.idempotencyKey
    return copy
  })
  return { ...file, tasks }
}

test('tasks that the devtools exported go on where they are imported: a question, a sleep, a result of 7 MB', async ({
  openTab,
  cspReports
}, testInfo) => {
  const page = await openTab('/test/e2e/pages/devtools.html')
  await page.evaluate(async () => {
    await inspected.connected
    await inspected.start('large', { bytes: 7_000_000 })
    await inspected.start('nap', { ms: 3_600_000 })
    await inspected.start('survey')
  })
  await expect(rows(page).filter({ hasText: 'completed' })).toHaveCount(1)
  await expect.poll(() => page.evaluate(() => inspected.asked())).toBe(1)
  await expect(rows(page).filter({ hasText: 'needs an answer' })).toHaveCount(1)

  const path = testInfo.outputPath('all.json')
  const file = await exported(page, 'Export list', path)
  expect(file).toMatchObject({ format: 'intab-tasks', version: 1 })
  expect(file.tasks.map(({ task }) => [task.tool, task.status])).toEqual([
    ['large', 'completed'],
    ['nap', 'working'],
    ['survey', 'input_required']
  ])
  expect(JSON.stringify(file)).not.toContain('everybody')
  await rows(page).filter({ hasText: 'survey' }).click()
  const single = await exported(page, 'Export', testInfo.outputPath('one.json'))
  expect(single.tasks).toEqual(file.tasks.slice(2))
  expect(await cspReports()).toEqual([])

  await page.evaluate(() => inspected.unmount())
  await deleteStorage(page)
  const other = await openLife(openTab)
  expect(await other.evaluate(() => globalThis.life.all())).toEqual([])
  const ids = await importTasks(other, path)
  expect(ids).toEqual(file.tasks.map(({ task }) => task.taskId))
  const result = (n: number) => other.evaluate((id) => globalThis.life.result(id), ids[n] ?? '')
  const [, text] = await result(0)
  expect(file.tasks[0]?.outcome).toMatchObject({ result: { content: [{ text }] } })

  await advanceClock(other, 3_600_000)
  expect(await result(1)).toEqual(['completed', 'woke in run 2'])
  const done = result(2)
  // Whichever tab is asked: the question has the id that it had.
  await expect.poll(() => other.evaluate(() => globalThis.life.openQuestions())).toHaveLength(1)
  expect(await other.evaluate(() => globalThis.life.openQuestions())).toEqual(
    file.tasks[2]?.messages.map((message) => 'requestId' in message && message.requestId)
  )
  await page.close()
  await expect.poll(() => other.evaluate(() => globalThis.life.asked.length)).toBe(1)
  await other.evaluate(() => globalThis.life.answer({ action: 'accept', content: {} }))
  expect(await done).toEqual(['completed', 'accept'])
})

test('a thousand tasks are imported at once, and each goes on', async ({ openTab }) => {
  const page = await openLife(openTab)
  const ids = await importTasks(page, await naps(1_000))
  expect(await page.evaluate(() => globalThis.life.all())).toEqual(ids)
  await advanceClock(page, 3_600_000)
  expect(await page.evaluate(() => globalThis.life.result('nap-999'))).toEqual(['completed', 'woke in run 2'])
  expect(await page.evaluate(() => globalThis.life.result('nap-0'))).toEqual(['completed', 'woke in run 2'])
})

test('what is imported twice, in part, or broken changes nothing', async ({ openTab }, testInfo) => {
  const page = await openLife(openTab)
  const all = () => page.evaluate(() => globalThis.life.all())
  const [one, three] = [await naps(1), await naps(3)]
  await importTasks(page, one)
  for (const again of [one, { ...three, tasks: three.tasks.toReversed() }]) {
    await expect(importTasks(page, again)).rejects.toMatchObject({
      code: 'key_conflict',
      message: expect.stringContaining('nap-0 is in the database already')
    })
    expect(await all()).toEqual(['nap-0'])
  }
  const half = testInfo.outputPath('half.json')
  await writeFile(half, JSON.stringify(three).slice(0, 700))
  const broken = { ...three, tasks: [...three.tasks, { task: {} }] }
  const nonsense: [file: string | object, words: RegExp][] = [
    [half, /half\.json cannot be read as JSON/],
    [testInfo.outputPath('nowhere.json'), /nowhere\.json cannot be read as JSON \(ENOENT/],
    [[], /^format: /],
    [{ ...three, version: 99 }, /newer intab \(99/],
    [broken, /^tasks\[3\]\.task/]
  ]
  for (const [file, message] of nonsense) {
    await expect(importTasks(page, file)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringMatching(message)
    })
  }
  await expect(importTasks(page, one, { database: 'nobody' })).rejects.toMatchObject({ code: 'invalid_options' })
  expect(await all()).toEqual(['nap-0'])
})

test('an idempotency key is never taken from the task that has it', async ({ openTab }) => {
  const page = await openLife(openTab)
  const file = await naps(2)
  for (const { task } of file.tasks) task.idempotencyKey = 'the same'
  await expect(importTasks(page, file)).rejects.toMatchObject({ code: 'key_conflict' })
  expect(await page.evaluate(() => globalThis.life.all())).toEqual([])
})

test('tasks of another owner are nothing to this one, and a worker that starts later goes on with its own', async ({
  openTab
}) => {
  const page = await openLife(openTab)
  const [mine, hers] = [await naps(1), await naps(1)]
  for (const { task } of hers.tasks) task.taskId = 'hers'
  await importTasks(page, hers, { owner: 'ada' })
  expect(await page.evaluate(() => globalThis.life.all())).toEqual([])
  await expect(page.evaluate(() => globalThis.life.message('hers'))).rejects.toThrow('not found')
  await importTasks(page, mine)
  await killWorker(page)
  await page.evaluate(() => globalThis.life.all())
  await advanceClock(page, 3_600_000)
  expect(await page.evaluate(() => globalThis.life.result('nap-0'))).toEqual([
    'completed',
    expect.stringMatching(/^woke in run [23]$/)
  ])
})
