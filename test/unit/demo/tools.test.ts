import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { confirmDelete } from '../../../src/demo/tools/confirm-delete.js'
import { countdown } from '../../../src/demo/tools/countdown.js'
import { failOnPurpose } from '../../../src/demo/tools/fail-on-purpose.js'
import { profileCsv } from '../../../src/demo/tools/profile-csv.js'
import { listTasks, runTask } from '../../../src/index.js'
import { World } from '../../support/world.js'

const penguins = readFileSync(new URL('../../../public/penguins.csv', import.meta.url), 'utf8')
const profile = profileCsv(() => Promise.resolve(penguins))
const decline = { onelicit: () => ({ action: 'decline' as const }) }

describe('profile_csv', () => {
  test('says what is in each column of the shipped table, and asks about the one that may be two things', async () => {
    const asked: unknown[] = []
    const tab = await new World({ tools: [profile] }).tab({
      onelicit: (params) => {
        asked.push(params)
        return { action: 'accept', content: { column4: 'category' } }
      }
    })
    const run = await runTask(tab.client, { name: 'profile_csv', arguments: { pause: 0 } })
    const { structuredContent, content } = await run.result()
    expect(structuredContent).toMatchObject({
      rows: 344,
      columns: [
        { name: 'species', type: 'category', top: [{ value: 'Adelie', count: 152 }, {}, {}] },
        { name: 'island', type: 'category', distinct: 3 },
        { name: 'culmen_length_mm', type: 'number', min: 32.1, max: 59.6, missing: 2 },
        { name: 'culmen_depth_mm', type: 'number' },
        { name: 'flipper_length_mm', type: 'category' },
        { name: 'body_mass_g', type: 'number' },
        { name: 'sex', type: 'category' }
      ]
    })
    expect(content[0]).toMatchObject({ text: expect.stringContaining('344 rows, 7 columns') as string })
    const [, picture] = content
    expect(picture).toMatchObject({ type: 'image', mimeType: 'image/svg+xml' })
    const svg = picture?.type === 'image' ? Buffer.from(picture.data, 'base64').toString() : ''
    expect(svg.match(/<g /g)).toHaveLength(7)
    for (const words of ['culmen_length_mm', 'mean 43.92', 'Adelie', '>152<']) expect(svg).toContain(words)
    expect(asked).toMatchObject([{ requestedSchema: { properties: { column4: { title: 'flipper_length_mm' } } } }])
  })

  test('goes on at 60 % when its worker is killed there', async () => {
    const world = new World({ tools: [profile] })
    const first = world.worker()
    const tab = await world.tab(decline)
    const told: number[] = []
    const run = await runTask(
      tab.client,
      { name: 'profile_csv', arguments: { pause: 20 } },
      {
        onprogress: ({ progress, total = 1 }) => {
          told.push(Math.round((100 * progress) / total))
          if (progress / total >= 0.6 && !first.dead) {
            first.kill()
            world.worker()
          }
        }
      }
    )
    expect(await run.result()).toMatchObject({ structuredContent: { rows: 344 } })
    expect(told).toEqual([...told].sort((a, b) => a - b))
    const [task] = (await listTasks(tab.client)).tasks
    expect(task).toMatchObject({ status: 'completed', attempt: 2, progress: { progress: 344, total: 344 } })
  })

  test('draws what a table says as text, whatever it is, and nothing where there is nothing to draw', async () => {
    const tab = await new World({ tools: [profile] }).tab(decline)
    const picture = async (csv: string): Promise<string | undefined> => {
      const run = await runTask(tab.client, { name: 'profile_csv', arguments: { csv, pause: 0 } })
      const image = (await run.result()).content.find(({ type }) => type === 'image')
      return image?.type === 'image' ? Buffer.from(image.data, 'base64').toString() : undefined
    }
    const svg = await picture('"<script>é\u0001&😀",when\n<b>,2026-01-01\n<b>,2026-12-03\n')
    expect(svg).toContain('&lt;script&gt;é&amp;😀')
    expect(svg).toContain('&lt;b&gt;')
    expect(svg).toContain('>2026-12-03<')
    expect(svg).not.toMatch(/NaN|<script|<b>/)
    expect(await picture(`only\n${Array.from({ length: 20 }, (_, n) => `text ${n}`).join('\n')}`)).toBeUndefined()
    expect(await picture('one,none\n5,\n')).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('fails for what is no table, and says why', async () => {
    const tab = await new World({ tools: [profile] }).tab()
    const run = await runTask(tab.client, { name: 'profile_csv', arguments: { csv: 'alone', pause: 0 } })
    expect(await run.result()).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('no CSV') as string }]
    })
  })
})

test('confirm_delete removes what it was told to, once, and says when it was not there', async () => {
  const removed: string[] = []
  const remove = vi.fn((filename: string) => Promise.resolve(removed.push(filename) === 1))
  const tab = await new World({ tools: [confirmDelete(remove)] }).tab({
    onelicit: () => ({ action: 'accept', content: { confirm: true } })
  })
  const call = async (): Promise<unknown> =>
    (await (await runTask(tab.client, { name: 'confirm_delete' })).result()).content
  expect(await call()).toEqual([{ type: 'text', text: 'Deleted notes.txt' }])
  expect(await call()).toEqual([{ type: 'text', text: 'There was no notes.txt' }])
})

test('countdown wakes at its time in whichever worker', async () => {
  const world = new World({ tools: [countdown] })
  const first = world.worker()
  const tab = await world.tab()
  const run = await runTask(tab.client, { name: 'countdown', arguments: { seconds: 1 } })
  first.kill()
  world.worker()
  expect(await run.result()).toMatchObject({ content: [{ text: 'Woke in run 2, on time' }] })
})

test.each([
  ['result', { isError: true, content: [{ text: 'The tool itself says that it failed' }] }],
  ['throw', { isError: true, content: [{ text: 'The handler threw this' }] }]
])('fail_on_purpose fails by %s', async (how, outcome) => {
  const tab = await new World({ tools: [failOnPurpose] }).tab()
  const run = await runTask(tab.client, { name: 'fail_on_purpose', arguments: { how } })
  expect(await run.result()).toMatchObject(outcome)
  expect(run.task.status).toBe('failed')
})

test('fail_on_purpose fails by an error of the protocol', async () => {
  const tab = await new World({ tools: [failOnPurpose] }).tab()
  const run = await runTask(tab.client, { name: 'fail_on_purpose', arguments: { how: 'protocol' } })
  await expect(run.result()).rejects.toMatchObject({ code: -32042, data: { luck: 0 } })
})
