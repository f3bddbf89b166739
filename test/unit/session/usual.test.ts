// Whatever is called usual, the SDK's own schemas must take.

import { runInNewContext } from 'node:vm'
import { CallToolRequestParamsSchema, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { callTool } from '../../../src/session/call-tool.js'
import type { Hub } from '../../../src/session/hub.js'
import type { Session } from '../../../src/session/session.js'
import type { JsonObject } from '../../../src/types.js'
import { isUsualCall, isUsualMeta, isUsualRequest } from '../../../src/session/usual.js'

const related = 'io.modelcontextprotocol/related-task'
const metas = [
  undefined,
  {},
  { progressToken: 1 },
  { progressToken: 'a' },
  { progressToken: 1.5 },
  { progressToken: 2 ** 60 },
  { progressToken: null },
  { [related]: { taskId: 't' } },
  { [related]: 3 },
  { 'intab/key': 'k' },
  null,
  [],
  'text',
  new Map()
]
const ids = [1, 'a', '', 0, 1.5, 2 ** 60, null, {}, true]

describe('a _meta', () => {
  test.each(metas)('%j that is usual is one for the SDK', (meta) => {
    const taken = CallToolRequestParamsSchema.safeParse({ name: 'x', _meta: meta }).success
    expect(isUsualMeta(meta) && !taken).toBe(false)
  })
})

describe('a request', () => {
  const requests: object[] = [
    ...ids.map((id) => ({ id })),
    ...metas.map((meta) => ({ id: 1, params: { _meta: meta } })),
    ...[null, [], 'text', 3, new Map()].map((params) => ({ id: 1, params })),
    { id: 1, params: {}, extra: true },
    { id: 1, extra: true }
  ]
  test.each(requests)('%j that is usual is one for the SDK', (parts) => {
    const message = { jsonrpc: '2.0', method: 'x/y', ...parts } as JSONRPCMessage
    expect(isUsualRequest(message) && !isJSONRPCRequest(message)).toBe(false)
  })

  test('of the usual kind is known as such, so that it is parsed once', () => {
    const params = { name: 'x', arguments: {}, _meta: { progressToken: 1, 'intab/key': 'k' } }
    expect(isUsualRequest({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).toBe(true)
    expect(isUsualRequest({ jsonrpc: '2.0', id: 'a', method: 'tools/list' })).toBe(true)
  })
})

describe('a call', () => {
  const calls: object[] = [
    ...metas.map((meta) => ({ name: 'x', _meta: meta })),
    ...[undefined, {}, null, [], 'text', new Map(), new Date()].map((args) => ({ name: 'x', arguments: args })),
    ...[undefined, null, 3, {}].map((name) => ({ name })),
    { name: 'x', extra: true }
  ]
  test.each(calls)('%j that is usual is one for the SDK', (call) => {
    const taken = CallToolRequestParamsSchema.safeParse(call).success
    expect(isUsualCall(call as JsonObject) && !taken).toBe(false)
  })

  test('of a plain tool is left to the SDK, also when its params are of another realm', () => {
    const { mine } = callTool(
      { tools: new Map(), lenders: { tool: () => undefined } } as unknown as Hub,
      {} as Session,
      async () => new Set()
    )
    const source = "({ name: 'x', arguments: { a: {} }, _meta: { progressToken: 1 } })"
    expect(mine?.(runInNewContext(source) as JsonObject)).toBe(false)
    expect(mine?.({ name: 'x', arguments: {}, _meta: { progressToken: 1 } })).toBe(false)
    expect(mine?.({ name: 'x', _meta: { 'intab/retry': true } })).toBe(true)
    expect(mine?.({ name: 'x', arguments: [] })).toBe(true)
    expect(mine?.({ name: 'x', task: {} })).toBe(true)
  })
})
