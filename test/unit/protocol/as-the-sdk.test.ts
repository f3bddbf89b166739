import * as sdk from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import * as requests from '../../../src/protocol/requests.js'
import * as results from '../../../src/protocol/results.js'
import { variants } from '../../support/variants.js'

const annotations = { audience: ['user'], priority: 0.5, lastModified: '2025-11-25T10:00:00+01:00' }
const _meta = { progressToken: 7, 'io.modelcontextprotocol/related-task': { taskId: 't' }, more: 1 }
const icons = [{ src: 'data:,', mimeType: 'image/png', sizes: ['any'], theme: 'dark' }]
const blocks = [
  { type: 'text', text: 'a', annotations, _meta: { x: 1 } },
  { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations },
  { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
  {
    type: 'resource_link',
    name: 'n',
    title: 't',
    icons,
    uri: 'u:x',
    description: 'd',
    mimeType: 'm',
    size: 1,
    _meta: {}
  },
  { type: 'resource', resource: { uri: 'u:x', mimeType: 'm', text: 't', _meta: {} }, annotations },
  { type: 'resource', resource: { uri: 'u:x', blob: 'AAAA' } }
]
const parts = [
  ...blocks.slice(0, 3),
  { type: 'tool_use', name: 'n', id: 'i', input: { a: 1 }, _meta: {} },
  { type: 'tool_result', toolUseId: 'i', content: blocks, structuredContent: { a: 1 }, isError: true, _meta: {} }
]
const message = { model: 'm', stopReason: 'endTurn', role: 'assistant', _meta }
const clientInfo = { name: 'n', version: '1', title: 't', icons, websiteUrl: 'u', description: 'd' }
const capabilities = {
  experimental: { x: {} },
  sampling: { context: {}, tools: {} },
  elicitation: { form: { applyDefaults: true }, url: {} },
  roots: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
  extensions: { 'a/b': {} }
}
const task = {
  taskId: 't',
  status: 'working',
  ttl: null,
  createdAt: 'c',
  lastUpdatedAt: 'l',
  pollInterval: 1,
  statusMessage: 'm'
}

/** Ours, the SDK's of the same name in the protocol, and values that both take. */
const pairs: [name: string, ours: () => z.ZodType, theirs: z.ZodType, samples: unknown[]][] = [
  [
    'a request',
    requests.request,
    sdk.JSONRPCRequestSchema,
    [
      { jsonrpc: '2.0', id: 1, method: 'm', params: { a: 1, _meta } },
      { jsonrpc: '2.0', id: 'i', method: 'm' }
    ]
  ],
  [
    'a call',
    requests.toolCall,
    sdk.CallToolRequestParamsSchema,
    [{ name: 'n', arguments: { a: 1 }, task: { ttl: 1 }, _meta }]
  ],
  ['a result', results.result, sdk.ResultSchema, [{ a: 1, _meta }]],
  [
    'the result of a call',
    results.callToolResult,
    sdk.CallToolResultSchema,
    [{ content: blocks, structuredContent: { a: 1 }, isError: false, _meta, more: 1 }, {}]
  ],
  ['a new task', results.createTaskResult, sdk.CreateTaskResultSchema, [{ task, _meta }]],
  [
    'an answered form',
    results.elicitResult,
    sdk.ElicitResultSchema,
    [
      { action: 'accept', content: { a: 'x', b: 1, c: true, d: ['x'] }, _meta },
      { action: 'decline', content: null }
    ]
  ],
  [
    'roots',
    results.listRootsResult,
    sdk.ListRootsResultSchema,
    [{ roots: [{ uri: 'file:///a', name: 'n', _meta: {} }], _meta }]
  ],
  [
    'a sampled message',
    results.createMessageResult,
    sdk.CreateMessageResultSchema,
    parts.slice(0, 3).map((content) => ({ ...message, content }))
  ],
  [
    'a sampled message with tools',
    results.createMessageResultWithTools,
    sdk.CreateMessageResultWithToolsSchema,
    [...parts.map((content) => ({ ...message, content })), { ...message, content: parts }]
  ]
]

/** Whole requests: ours look at the params only, since the method was looked at before. */
const whole: typeof pairs = [
  [
    'initialize',
    requests.initialize,
    sdk.InitializeRequestSchema,
    [{ method: 'initialize', params: { protocolVersion: 'v', capabilities, clientInfo, _meta } }]
  ],
  ['ping', requests.plain, sdk.PingRequestSchema, [{ method: 'ping', params: { _meta } }, { method: 'ping' }]],
  [
    'logging/setLevel',
    requests.setLevel,
    sdk.SetLevelRequestSchema,
    [{ method: 'logging/setLevel', params: { level: 'debug', _meta } }]
  ],
  [
    'tools/list',
    requests.paginated,
    sdk.ListToolsRequestSchema,
    [{ method: 'tools/list', params: { cursor: 'c', _meta } }, { method: 'tools/list' }]
  ]
]

const seen = ({ success, data, error }: z.ZodSafeParseResult<unknown>) =>
  success ? { data } : { issues: error?.issues.map(({ path, message: text }) => `${path.join('.')}: ${text}`) }

describe('what a worker checks is taken and refused as the SDK does, in the same words', () => {
  test.each(pairs)('%s', (_, ours, theirs, samples) => {
    let refused = 0
    for (const sample of samples) {
      expect(theirs.safeParse(sample).success, JSON.stringify(sample)).toBe(true)
      for (const value of variants(sample)) {
        const expected = seen(theirs.safeParse(value))
        if ('issues' in expected) refused++
        expect([value, seen(ours().safeParse(value))]).toEqual([value, expected])
      }
    }
    expect(refused).toBeGreaterThan(10)
  })

  test.each(whole)('%s', (_, ours, theirs, samples) => {
    for (const sample of samples) {
      const { method, ...rest } = sample as { method: string; params?: unknown }
      expect(theirs.safeParse(sample).success).toBe(true)
      for (const params of 'params' in rest ? variants(rest.params) : [undefined]) {
        const request = params === undefined ? { method } : { method, params }
        const expected = seen(theirs.safeParse(request))
        if ('data' in expected) delete (expected.data as { method?: string }).method
        expect([params, seen(ours().safeParse(request))]).toEqual([params, expected])
      }
    }
  })

  test('the revisions spoken are the SDK’s', () => {
    expect(requests.legacyVersions).toEqual(sdk.SUPPORTED_PROTOCOL_VERSIONS)
  })
})
