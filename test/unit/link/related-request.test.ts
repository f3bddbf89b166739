import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { World } from '../../support/world.js'
import { confirmDelete } from '../../support/tools.js'

test('the page is told on the stream of which request a message belongs, so that it can pass it on over HTTP', async () => {
  const world = new World({
    tools: [confirmDelete],
    setup: (server) => {
      server.registerTool('say', {}, async (extra) => {
        await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'said' } })
        return { content: [] }
      })
    }
  })
  const { client, transport } = await world.tab({ onelicit: () => ({ action: 'decline' }) })
  const heard: [JSONRPCMessage, MessageExtraInfo | undefined][] = []
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    heard.push([message, extra])
    onmessage?.(message, extra)
  }
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(2)
  await client.callTool({ name: 'say' })
  const stream = client.experimental.tasks.callToolStream({ name: 'confirm_delete', arguments: { filename: 'a' } })
  for await (const { type } of stream) if (type === 'result') break

  const extraOf = (method: string): unknown =>
    heard.find(([message]) => 'method' in message && message.method === method)?.[1]
  const idOf = (text: string): unknown =>
    heard.find(([message]) => 'result' in message && JSON.stringify(message.result).includes(text))?.[0]
  expect(extraOf('notifications/message')).toEqual({
    relatedRequestId: (idOf('"content":[]') as { id: number } | undefined)?.id
  })
  expect(extraOf('elicitation/create')).toEqual({ relatedRequestId: (idOf('Kept') as { id: number } | undefined)?.id })
  expect(extraOf('notifications/tasks/status')).toBeUndefined()
})
