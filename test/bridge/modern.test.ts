// Streamable HTTP of 2026-07-28; tests begin with their number in the checklist of docs/wire.md.

import { describe, expect, test } from 'vitest'
import { MODERN } from '../../src/modern/keys.js'
import { type Envelope, envelope } from '../support/modern-tab.js'
import { RawHttp, type SseStream } from '../support/raw-http.js'
import type { Wire } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'
import { worldBridge } from '../support/world-bridge.js'

type Headers = Record<string, string>

interface Asked {
  status: number
  error?: { code: number; message: string; data?: Wire }
  result?: Wire
}

const quick = toolOf('quick', () => text('done'))

async function open() {
  const running = gate()
  const stopped = gate()
  const waits = toolOf('waits', async (_, task) => {
    running.open()
    await new Promise<void>((resolve) => task.signal.addEventListener('abort', () => resolve()))
    stopped.open()
    return text('stopped')
  })
  const world = new World({ tools: [quick, waits, confirmDelete] })
  const { url, errors } = await worldBridge(world)
  const client = new RawHttp(url)
  const headersOf = (method: string, name?: string): Headers => ({
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name })
  })
  const post = (method: string, params: Wire, headers: Headers, more?: Envelope): Promise<SseStream> => {
    const _meta = { ...envelope(more), ...(params['_meta'] as Wire | undefined) }
    return client.post({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers)
  }
  const ask = async (method: string, params: Wire, headers: Headers, more?: Envelope): Promise<Asked> => {
    const stream = await post(method, params, headers, more)
    return { status: stream.status, ...(JSON.parse(await stream.ended) as Omit<Asked, 'status'>) }
  }
  const call = (name: string, headers: Headers): Promise<Asked> => ask('tools/call', { name, arguments: {} }, headers)
  const tasks = async (): Promise<unknown> =>
    (await ask('intab/tasks/list', {}, headersOf('intab/tasks/list'))).result?.['tasks']
  return { client, errors, running, stopped, headersOf, post, ask, call, tasks }
}

describe('34 headers', () => {
  const whole: Headers = { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'quick' }

  test.each<[string, Headers]>([
    ['MCP-Protocol-Version', { ...whole, 'MCP-Protocol-Version': '2025-11-25' }],
    ['Mcp-Method', { ...whole, 'Mcp-Method': 'tools/list' }],
    ['Mcp-Name', { ...whole, 'Mcp-Name': 'waits' }],
    ['Mcp-Method', { 'MCP-Protocol-Version': MODERN, 'Mcp-Name': 'quick' }],
    ['Mcp-Name', { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': 'tools/call' }]
  ])('that disagree with the body, or are missing, are refused, and nothing runs: %s of %o', async (name, headers) => {
    const { call, tasks, errors } = await open()
    const { status, error } = await call('quick', headers)
    expect({ status, code: error?.code }).toEqual({ status: 400, code: -32020 })
    expect(error?.message).toContain(name)
    expect(await tasks()).toEqual([])
    expect(errors).toEqual([])
  })

  test('that agree, plainly or in base64, are served', async () => {
    const { call, tasks } = await open()
    const encoded = `=?base64?${Buffer.from('quick').toString('base64')}?=`
    for (const name of ['quick', encoded]) {
      expect(await call('quick', { ...whole, 'Mcp-Name': name })).toMatchObject({ status: 200 })
    }
    expect(await tasks()).toHaveLength(2)
  })

  test('name the task of tasks/get, tasks/update and tasks/cancel', async () => {
    const { ask, call, headersOf } = await open()
    const { result } = await call('waits', headersOf('tools/call', 'waits'))
    const taskId = String(result?.['taskId'])
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId, ...(method === 'tasks/update' && { inputResponses: {} }) }
      const wrong = await ask(method, params, headersOf(method, 'another'))
      expect(wrong).toMatchObject({ status: 400, error: { code: -32020 } })
      expect(await ask(method, params, headersOf(method, taskId))).toMatchObject({ status: 200 })
    }
  })
})

describe('34 the status of an error', () => {
  test.each<[number, number, string, Wire, Envelope]>([
    [404, -32601, 'ping', {}, {}],
    [404, -32601, 'tasks/result', { taskId: 'any' }, {}],
    [400, -32602, 'tasks/get', { taskId: 'unknown' }, {}],
    [400, -32602, 'tools/call', { name: 'unknown' }, {}],
    [400, -32021, 'tools/call', { name: 'confirm_delete', arguments: { filename: 'a' } }, { tasks: false }]
  ])('is %i for %i, of %s', async (status, code, method, params, more) => {
    const { ask, headersOf } = await open()
    const named = params['name'] ?? params['taskId']
    const isNamed = method === 'tools/call' || method === 'tasks/get'
    const headers = headersOf(method, isNamed ? String(named) : undefined)
    expect(await ask(method, params, headers, more)).toMatchObject({ status, error: { code } })
  })

  test('is 400 for a version that is not served, and for a body that names none', async () => {
    const { client, ask, headersOf } = await open()
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }
    const headers = { ...headersOf('tools/list'), 'MCP-Protocol-Version': '2099-01-01' }
    expect(await ask('tools/list', { _meta: meta }, headers)).toMatchObject({
      status: 400,
      error: { code: -32022, data: { requested: '2099-01-01', supported: expect.arrayContaining([MODERN]) as unknown } }
    })
    const bare = await client.post({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, headersOf('tools/list'))
    expect(bare.status).toBe(400)
    expect(JSON.parse(await bare.ended)).toMatchObject({ id: 2, error: { code: -32602 } })
  })
})

test('34 a client that closes the stream of a plain call cancels it', async () => {
  const { client, post, headersOf, errors, running, stopped } = await open()
  const asked = post('tools/call', { name: 'waits', arguments: {} }, headersOf('tools/call', 'waits'), { tasks: false })
  asked.catch(() => undefined)
  await running.opened
  client.die()
  await stopped.opened
  expect(errors).toEqual([])
})
