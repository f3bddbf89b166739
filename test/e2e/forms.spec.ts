import type { JsonObject } from '../../src/demo/json.js'
import type { Page } from './fixtures.js'
import { expect, test } from './fixtures.js'

const path = '/test/e2e/pages/forms.html'
const show = (page: Page, properties: JsonObject, required: string[] = []) =>
  page.evaluate(
    (schema) => forms.show(JSON.parse(schema) as JsonObject),
    JSON.stringify({ type: 'object', properties, required })
  )
const send = (page: Page) => page.evaluate(() => forms.send())

test('a form has a control for every kind of question, and sends what its schema wants', async ({ openTab }) => {
  const page = await openTab(path)
  const colours = [
    { const: 'r', title: 'Red' },
    { const: 'g', title: 'Green' }
  ]
  await show(page, {
    name: { type: 'string', title: 'Your name', description: 'As in the passport' },
    age: { type: 'integer', minimum: 0 },
    ratio: { type: 'number', default: 0.5 },
    agree: { type: 'boolean', default: true },
    size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
    colour: { type: 'string', oneOf: colours, default: 'g' },
    colours: { type: 'array', items: { anyOf: colours } },
    rest: { type: 'object' },
    nothing: { type: 'string' }
  })
  await page.getByLabel('Your name').fill('Ada')
  await page.getByLabel('age').fill('36')
  await page.getByLabel('size').selectOption('Medium')
  await page.getByRole('group', { name: 'colours' }).getByLabel('Red').check()
  await page.getByLabel('rest').fill('{"a": [1]}')

  await expect(page.getByLabel('Your name')).toHaveAccessibleDescription('As in the passport')
  expect(await send(page)).toEqual({
    name: 'Ada',
    age: 36,
    ratio: 0.5,
    agree: true,
    size: 'm',
    colour: 'g',
    colours: ['r'],
    rest: { a: [1] }
  })
})

for (const [what, property, value] of [
  ['a required text', { type: 'string' }, 'x'],
  ['an integer', { type: 'integer' }, '7'],
  ['a number in its bounds', { type: 'number', minimum: 3, maximum: 4 }, '3.5'],
  ['an e-mail address', { type: 'string', format: 'email' }, 'a@b.test'],
  ['a text of its pattern', { type: 'string', pattern: '^x+$' }, 'xx'],
  ['JSON', { type: 'object' }, '{}']
] as const) {
  test(`a form that asks for ${what} is not sent without it`, async ({ openTab }) => {
    const page = await openTab(path)
    await show(page, { a: property }, ['a'])
    const input = page.getByLabel('a', { exact: true })
    if (what !== 'a required text') await input.fill(what.includes('number') || what === 'an integer' ? '0.5' : 'no')
    expect(await send(page)).toBeUndefined()
    await input.fill(value)
    expect(await send(page)).toBeDefined()
  })
}

for (const [what, property, wrong, right] of [
  ['an e-mail address', { type: 'string', format: 'email' }, 'a..b@c.test', 'a.b@c.test'],
  ['a URL with brackets', { type: 'string', format: 'uri' }, 'https://a.test/[x]', 'https://a.test/x'],
  ['a URL in Unicode', { type: 'string', format: 'uri' }, 'https://a.test/é', 'https://a.test/%C3%A9'],
  ['a year beyond 9999', { type: 'string', format: 'date' }, '12026-12-02', '2026-12-02']
] as const) {
  test(`G21 ${what} that a browser takes and the server does not is told beside the field`, async ({ openTab }) => {
    const page = await openTab(path)
    await show(page, { a: { ...property, title: 'Field' } }, ['a'])
    const input = page.getByLabel('Field')
    await input.fill(wrong)
    expect(await send(page)).toBeUndefined()
    await expect(input).toHaveAccessibleDescription(`Field must be a valid ${property.format}`)
    await expect(input).toHaveAttribute('aria-invalid', 'true')
    await input.fill(right)
    expect(await send(page)).toEqual({ a: right })
  })
}

test('a form is filled with what was written before, whatever its control', async ({ openTab }) => {
  const page = await openTab(path)
  const written = { name: 'Ada', age: 36, agree: true, size: 'm', colours: ['r'], rest: { a: [1] } }
  await page.evaluate((value) => {
    const properties = {
      name: { type: 'string' },
      age: { type: 'integer' },
      agree: { type: 'boolean' },
      size: { type: 'string', enum: ['s', 'm'] },
      colours: { type: 'array', items: { enum: ['r', 'g'] } },
      rest: { type: 'object' }
    }
    forms.show({ type: 'object', properties }, value)
  }, written)
  expect(await send(page)).toEqual(written)
})

test('choices are kept between their limits', async ({ openTab }) => {
  const page = await openTab(path)
  await show(page, { a: { type: 'array', items: { enum: ['x', 'y', 'z'] }, minItems: 2, maxItems: 2 } }, ['a'])
  expect(await send(page)).toBeUndefined()
  await page.getByLabel('x').check()
  await page.getByLabel('z').check()
  expect(await send(page)).toEqual({ a: ['x', 'z'] })
})

test('what is wrong is said beside its field, and goes when it is mended', async ({ openTab }) => {
  const page = await openTab(path)
  await show(page, { a: { type: 'string', minLength: 3 }, b: { type: 'string' } }, ['a', 'b'])
  const [a, b] = [page.getByLabel('a', { exact: true }), page.getByLabel('b', { exact: true })]
  await a.fill('no')
  expect(await send(page)).toBeUndefined()
  await expect(a).toBeFocused()
  await expect(a).toHaveAccessibleDescription('Write at least 3 characters')
  await expect(b).toHaveAttribute('aria-invalid', 'true')
  await a.fill('yes')
  await expect(a).not.toHaveAttribute('aria-invalid')
  await expect(page.getByText('Write at least 3 characters')).toBeHidden()
})

test('a text may come from a file', async ({ openTab }) => {
  const page = await openTab(path)
  await show(page, { a: { type: 'string', contentMediaType: 'text/plain' } }, ['a'])
  expect(await send(page)).toBeUndefined()
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('é') }
  await page.getByLabel('A file for a').setInputFiles(file)
  await expect(page.getByText('a.txt · 2 B')).toBeVisible()
  expect(await send(page)).toEqual({ a: 'é' })
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('an outcome shows text, image, audio, resources and structured content', async ({ openTab }) => {
  const page = await openTab(path)
  await page.evaluate((data) => {
    forms.showResult({
      content: [
        { type: 'text', text: 'some words' },
        { type: 'image', mimeType: 'image/png', data },
        { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
        { type: 'resource', resource: { uri: 'file:///a.json', mimeType: 'application/json', text: '{"a": 1}' } },
        { type: 'resource', resource: { uri: 'file:///a.png', mimeType: 'image/png', blob: data } },
        { type: 'resource', resource: { uri: 'file:///a.zip', mimeType: 'application/zip', blob: 'UEsDBA==' } },
        { type: 'resource_link', uri: 'https://example.com/a', name: 'a', title: 'A page' }
      ],
      structuredContent: { b: [2] }
    })
  }, png)
  await expect(page.getByText('some words')).toBeVisible()
  const images = page.getByRole('img')
  await expect(images).toHaveCount(2)
  for (const image of await images.all()) {
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1)
  }
  await expect(page.locator('audio')).toHaveAttribute('controls')
  await expect(page.getByText('{"a": 1}')).toBeVisible()
  await expect(page.getByText('application/zip')).toBeVisible()
  await expect(page.getByRole('link', { name: 'A page' })).toHaveAttribute('rel', /noreferrer/)
  await page.getByText('Structured content').click()
  await expect(page.getByText('"b"')).toBeVisible()
})

test('G23 an image has its type in any case, with parameters, or as jpg', async ({ openTab }) => {
  const page = await openTab(path)
  await page.evaluate((data) => {
    const types = ['image/jpg', 'IMAGE/PNG', 'image/png; charset=utf-8', 'image/png;a="b c"']
    forms.showResult({ content: types.map((mimeType) => ({ type: 'image', mimeType, data })) })
  }, png)
  const images = page.getByRole('img')
  await expect(images).toHaveCount(4)
  for (const image of await images.all()) {
    await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBe(1)
  }
})

test('data that is no image is never put where a document could run', async ({ openTab }) => {
  const page = await openTab(path)
  await page.evaluate(() => {
    forms.showResult({
      content: [
        { type: 'image', mimeType: 'text/html', data: 'PGI+aGk8L2I+' },
        { type: 'image', mimeType: 'image/png;x,<script>', data: 'AAAA' },
        { type: 'audio', mimeType: 'audio/wav,x', data: 'AAAA' }
      ]
    })
  })
  await expect(page.getByText('text/html')).toBeVisible()
  expect(await page.locator('img, audio, iframe, b').count()).toBe(0)
})

test('what a server says is text, whatever it looks like', async ({ openTab }) => {
  const page = await openTab(path)
  const evil = '<img src=x onerror="document.title=1"><b>bold</b>'
  await show(page, { [evil]: { type: 'string', title: evil, description: evil } })
  expect(await page.locator('img, b').count()).toBe(0)

  await page.evaluate((text) => {
    const uri = 'javascript:document.title=1'
    forms.showResult({
      content: [
        { type: 'text', text },
        { type: 'resource_link', uri, name: text },
        { type: 'resource', resource: { uri, text } }
      ]
    })
  }, evil)
  await expect(page.getByText(evil)).toHaveCount(2)
  expect(await page.locator('img, b, a').count()).toBe(0)
})
