// What is not JSON, on the way to the server of a page and back.

import { type Mcp, mcp } from 'intab/testing'
import { expect, test as base } from './fixtures.js'

const test = base.extend<{ mcp: Mcp }>({ mcp })

test('G1 arguments of any depth are answered, and those that no worker takes with not_json: no other client notices', async ({
  page,
  mcp
}) => {
  await page.goto('/test/e2e/pages/plain.html')
  const [client, other] = [await mcp(), await mcp()]
  const nested = (depth: number): Record<string, unknown> => ({ a: JSON.parse('['.repeat(depth) + ']'.repeat(depth)) })
  const size = (depth: number) => client.callTool({ name: 'size', arguments: nested(depth) })
  expect(await size(90)).toMatchObject({ content: [{ text: String(JSON.stringify(nested(90)).length) }] })
  await expect(size(200)).rejects.toMatchObject({ code: -32602, data: { code: 'not_json' } })
  await expect(size(5_000)).rejects.toMatchObject({ code: -32602, data: { code: 'not_json' } })
  await expect(client.callTool({ name: 'size', arguments: { big: 1n } })).rejects.toMatchObject({
    data: { code: 'not_json', path: 'params.arguments.big' }
  })
  expect(await other.callTool({ name: 'size', arguments: {} })).toMatchObject({ content: [{ text: '2' }] })
  expect(await size(1)).toMatchObject({ content: [{ text: '8' }] })
})

test('G15 what a plain tool returns that is not JSON is not_json with its path, for a tab and for a client in Node', async ({
  page,
  mcp
}) => {
  await page.goto('/test/e2e/pages/plain.html')
  const client = await mcp()
  for (const [name, path] of [
    ['bigint', 'result._meta.value'],
    ['cycle', 'result._meta.value.self'],
    ['map', 'result._meta.value']
  ] as const) {
    const error = { code: -32602, data: { code: 'not_json', path } }
    await expect(client.callTool({ name })).rejects.toMatchObject(error)
    expect(await page.evaluate((tool) => plain.errorOf(tool), name)).toEqual(error)
  }
})
