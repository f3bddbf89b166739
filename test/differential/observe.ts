// Runs the actions against one server, and writes down what can be compared.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ElicitRequestSchema,
  ProgressNotificationSchema,
  TaskStatusNotificationSchema
} from '@modelcontextprotocol/sdk/types.js'
import { actions, type Probe } from './actions.js'

/** By action: the JSON that came, or the error's code and message; ids, times and intab's own metadata left out. */
export async function observe(transport: Transport): Promise<Record<string, unknown>> {
  const client = new Client({ name: 'probe', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  const probe: Probe = { client, asked: [], heard: [], answer: undefined }
  client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
    probe.asked.push(params)
    if (probe.answer instanceof Error) throw probe.answer
    if (probe.answer !== undefined) return probe.answer as { action: 'accept' }
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('withdrawn'))))
  })
  const hear = (notification: { method: string; params?: object }): void =>
    void probe.heard.push({ method: notification.method, params: { ...notification.params } })
  client.setNotificationHandler(TaskStatusNotificationSchema, hear)
  client.setNotificationHandler(ProgressNotificationSchema, hear)
  await client.connect(transport)

  const seen: Record<string, unknown> = {}
  for (const [name, act] of Object.entries(actions)) {
    seen[name] = await act(probe).then(comparable, ({ code, message }: { code?: number; message: string }) =>
      comparable({ code, message })
    )
  }
  await client.close()
  return seen
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g
/** The SDK puts one before the text on each side; an action of its own compares that. */
const prefixes = /(MCP error -\d+: )+/g

const hidden = new Set(['createdAt', 'lastUpdatedAt', 'ttl'])

function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(uuid, '<id>').replace(prefixes, '')
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (key.startsWith('intab/')) return []
    if (hidden.has(key)) return [[key, `<${key}>`]]
    const seen = comparable(inner)
    return key === '_meta' && JSON.stringify(seen) === '{}' ? [] : [[key, seen]]
  })
  return Object.fromEntries(entries)
}
