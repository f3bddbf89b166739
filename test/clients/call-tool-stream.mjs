// The SDK's own stream of task states, over HTTP.
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'

export const name = '@modelcontextprotocol/sdk, callToolStream'
export const packages = {}

/** @param {import('./context.mjs').Context} context */
export async function run({ url, passed }) {
  const client = new Client({ name: 'stream', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { confirm: true } }))
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  await client.listTools()
  const call = { name: 'confirm_delete', arguments: { filename: 'stream.txt' } }
  const types = []
  for await (const message of client.experimental.tasks.callToolStream(call, CallToolResultSchema)) {
    types.push(message.type)
    if (message.type === 'result') {
      assert.deepEqual(message.result.content, [{ type: 'text', text: 'Deleted stream.txt' }])
      passed('a task that asks, to its result')
    }
  }
  assert.equal(types[0], 'taskCreated')
  assert.equal(types.at(-1), 'result')

  const { tasks } = await client.experimental.tasks.listTasks()
  assert.equal(tasks.at(-1)?.status, 'completed')
  passed('tasks/list')

  const other = { name: 'confirm_delete', arguments: { filename: 'cancelled.txt' } }
  const stream = client.experimental.tasks.callToolStream(other, CallToolResultSchema)
  const first = await stream.next()
  assert.equal(first.value?.type, 'taskCreated')
  const { taskId } = first.value.task
  const cancelled = await client.experimental.tasks.cancelTask(taskId)
  assert.equal(cancelled.status, 'cancelled')
  passed('tasks/cancel')
  await client.close()
}
