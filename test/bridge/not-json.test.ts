// What is not JSON gets an error that names the path on each road of the bridge, and nobody else notices.

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { relay } from '../../src/bridge/relay.js'
import { StdioTransport } from '../../src/bridge/stdio.js'
import { MODERN } from '../../src/modern/keys.js'
import { envelope } from '../support/modern-tab.js'
import { RawHttp } from '../support/raw-http.js'
import type { Wire } from '../support/raw-tab.js'
import { text } from '../support/tools.js'
import { World } from '../support/world.js'
import { pageSide, worldBridge } from '../support/world-bridge.js'
import { deepText } from './nonsense.js'

const result = 'a result or arguments that are not plain JSON, or nested too deeply: not_json with the path'
const refusal = (path: string): object => ({ error: { code: -32602, data: { code: 'not_json', path } } })

const worldOf = (): World =>
  new World({
    setup(server) {
      server.registerTool('odd', {}, () => ({ content: [], structuredContent: { rows: [{ at: 1n }] } }))
      server.registerTool('echo', {}, () => text('echo'))
    }
  })

test(`${result}, over HTTP`, async () => {
  const { url, errors } = await worldBridge(worldOf())
  const [client, other] = [await RawHttp.open(url), await RawHttp.open(url)]
  expect(await client.answerTo('tools/call', { name: 'odd' })).toMatchObject(
    refusal('result.structuredContent.rows[0].at')
  )
  const deep = await client.post(deepText('deep', 200))
  expect(await deep.next(({ id }) => id === 'deep')).toMatchObject({
    error: { code: -32602, data: { code: 'not_json' } }
  })
  for (const each of [client, other]) expect(await each.ok('tools/call', { name: 'echo' })).toEqual(text('echo'))
  expect(errors).toEqual([])
})

test(`${result}, over HTTP at 2026-07-28`, async () => {
  const { url, errors } = await worldBridge(worldOf())
  const client = new RawHttp(url)
  const call = async (name: string): Promise<Wire> => {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, _meta: envelope() } }
    const headers = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': name }
    const stream = await client.post(request, headers)
    return JSON.parse(await stream.ended) as Wire
  }
  expect(await call('odd')).toMatchObject(refusal('result.structuredContent.rows[0].at'))
  expect(await call('echo')).toMatchObject({ result: text('echo') })
  expect(errors).toEqual([])
})

test(`${result}, on stdio`, async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const { answered, end } = await relay(new StdioTransport(input, output, 10_000), pageSide(worldOf()), () => undefined)
  const call = (id: number, name: string): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })
  input.write(`${call(1, 'odd')}\n${deepText(2, 200)}\n${call(3, 'echo')}\n`)
  await answered()
  await end(new Error('over'))
  const lines = String(output.read()).trim().split('\n')
  const answers = new Map(lines.map((line) => JSON.parse(line) as Wire).map((answer) => [answer['id'], answer]))
  expect(answers.get(1)).toMatchObject(refusal('result.structuredContent.rows[0].at'))
  expect(answers.get(2)).toMatchObject({ error: { code: -32602, data: { code: 'not_json' } } })
  expect(answers.get(3)).toMatchObject({ result: text('echo') })
})
