// A worker whose tools are all task tools answers the rest by a server of its own; one with a `setup` has the SDK's. Whoever
// talks to them must not tell them apart.

import { expect, test } from 'vitest'
import { rawTab, type RawTab } from '../support/raw-tab.js'
import { text, toolOf } from '../support/tools.js'
import { variants } from '../support/variants.js'
import { World, type WorldOptions } from '../support/world.js'

const tool = toolOf('noted', () => text('done'), { description: 'Notes', taskSupport: 'optional' })
const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } },
  clientInfo: { name: 'n', version: '1' }
}
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {}
}

const requests: [method: string, params: unknown][] = [
  ...[...variants(initialize)].map((params): [string, unknown] => ['initialize', params]),
  ...[undefined, ...variants({ _meta: { progressToken: 1 } })].map((params): [string, unknown] => ['ping', params]),
  ...[...variants({ level: 'info' })].map((params): [string, unknown] => ['logging/setLevel', params]),
  ...[undefined, ...variants({ cursor: 'x' })].map((params): [string, unknown] => ['tools/list', params]),
  ...[...variants({ name: 'unknown', arguments: { a: 1 } })].map((params): [string, unknown] => ['tools/call', params]),
  ...[...variants({ name: 'unknown', arguments: {}, task: { ttl: 1 } })].map((params): [string, unknown] => [
    'tools/call',
    params
  ]),
  ...['prompts/list', 'prompts/get', 'resources/list', 'resources/read', 'completion/complete', 'nonsense', ''].flatMap(
    (method): [string, unknown][] => [
      [method, undefined],
      [method, {}],
      [method, { _meta: modern }]
    ]
  ),
  ['server/discover', { _meta: modern }],
  ['tools/list', { _meta: modern }],
  ['tools/call', { _meta: modern, name: 'unknown' }]
]

const options: [name: string, options: WorldOptions][] = [
  ['with tools', { tools: [tool] }],
  ['without', {}],
  [
    'that says much of itself',
    {
      tools: [tool],
      title: 'T',
      icons: [{ src: 'data:,' }],
      websiteUrl: 'https://example.com',
      instructions: 'Be brief'
    }
  ]
]

async function answers(tab: RawTab): Promise<unknown[]> {
  const all: unknown[] = []
  for (const [method, params] of requests) {
    const { result, error } = await tab.ask(method, params).response
    all.push([method, params, { result, error }])
  }
  return all
}

test.each(options)('both inner servers of a worker %s answer alike', { timeout: 60_000 }, async (_, given) => {
  const limits = { operations: 1e9 }
  const own = await rawTab(new World({ ...given, limits }), { initialize: false })
  const sdk = await rawTab(new World({ ...given, limits, setup: () => undefined }), { initialize: false })
  expect(await answers(own)).toEqual(await answers(sdk))
})
