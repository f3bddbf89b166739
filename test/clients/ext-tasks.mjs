// The client of the tasks extension, which speaks 2025-11-25 to servers of that revision.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const name = '@modelcontextprotocol/ext-tasks 0.2.2'
export const packages = { '@modelcontextprotocol/ext-tasks': '0.2.2', '@modelcontextprotocol/client': '2.4.0' }

/** @param {import('./context.mjs').Context} context */
export async function run({ url, modules, passed }) {
  const load = (/** @type {string} */ path) => import(pathToFileURL(join(modules, '@modelcontextprotocol', path)).href)
  const { Client, StreamableHTTPClientTransport } = await load('client/dist/index.mjs')
  const { createTaskSessionFromClient, resultFromTaskOutcome } = await load('ext-tasks/dist/client/index.js')

  const client = new Client({ name: 'ext', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
  const asked = /** @type {string[]} */ ([])
  client.setRequestHandler('elicitation/create', (/** @type {{ params: { message: string } }} */ { params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { confirm: true } }
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25')
  const session = createTaskSessionFromClient(client, { endpointId: 'intab' })
  const execution = await session.callTool('confirm_delete', { filename: 'ext.txt' })
  const { outcome } = await execution.settle()
  assert.deepEqual(resultFromTaskOutcome(outcome).content, [{ type: 'text', text: 'Deleted ext.txt' }])
  assert.deepEqual(asked, ['Delete ext.txt?'])
  passed('a task that asks, to its result')
  await session.close()
  await client.close()
}
