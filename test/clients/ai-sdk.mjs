// The MCP client of the AI SDK, which speaks 2026-07-28 without its tasks: questions come in rounds.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const name = '@ai-sdk/mcp 2.0.99'
export const packages = { '@ai-sdk/mcp': '2.0.99', zod: '4.6.7' }

/** @param {import('./context.mjs').Context} context */
export async function run({ url, modules, passed }) {
  const { createMCPClient, ElicitationRequestSchema } = await import(
    pathToFileURL(join(modules, '@ai-sdk/mcp/dist/index.js')).href
  )
  const versions = new Set()
  const client = await createMCPClient({
    transport: {
      type: 'http',
      url,
      fetch: (/** @type {string} */ to, /** @type {RequestInit} */ init) => {
        versions.add(new Headers(init.headers).get('mcp-protocol-version'))
        return fetch(to, init)
      }
    },
    capabilities: { elicitation: {} }
  })
  const asked = /** @type {string[]} */ ([])
  client.onElicitationRequest(ElicitationRequestSchema, (/** @type {{ params: { message: string } }} */ { params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { username: 'ann', email: 'ann@example.com' } }
  })
  const tools = await client.tools()
  const options = { toolCallId: '1', messages: [] }
  const { content } = await tools.test_elicitation.execute({ message: 'Who?' }, options)
  assert.match(content[0].text, /action: accept, content: .*ann@example.com/)
  assert.deepEqual(asked, ['Who?'])
  assert.deepEqual([...versions], ['2026-07-28'])
  passed('2026-07-28: a tool that asks with a form')

  const done = await tools.test_tool_with_progress.execute({}, options)
  assert.deepEqual(done.content, [{ type: 'text', text: 'Done' }])
  passed('a task tool, as a plain call')
  await client.close()
}
