import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { beforeEach, expect, test, vi } from 'vitest'
import { HttpSession } from '../../../src/bridge/http-session.js'
import { ReplayBudget } from '../../../src/bridge/replay.js'

const question = (taskId: string): JSONRPCRequest => ({
  jsonrpc: '2.0',
  id: `task:${taskId}:1`,
  method: 'elicitation/create',
  params: { message: 'ok?', _meta: { 'io.modelcontextprotocol/related-task': { taskId } } }
})

let session: HttpSession
let received: JSONRPCMessage[]

beforeEach(async () => {
  const page = { suspend: () => undefined, resume: () => undefined }
  session = new HttpSession(page, new ReplayBudget(1_000_000).open(), { silence: 60_000, idle: 60_000 })
  received = []
  session.onmessage = (message) => received.push(message)
  await session.start()
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  await session.send({ jsonrpc: '2.0', id: 0, result: {} })
})

async function post(message: JSONRPCMessage): Promise<Response> {
  const headers = {
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'Mcp-Session-Id': session.id
  }
  const request = new Request('http://localhost/mcp', { method: 'POST', headers })
  return (await session.handle(request, message)).response
}

function get(headers: Record<string, string> = {}) {
  const all = { Accept: 'text/event-stream', 'Mcp-Session-Id': session.id, ...headers }
  return session.handle(new Request('http://localhost/mcp', { headers: all }), undefined)
}

/** The messages of a stream, up to the one with the text; then its reader is gone. */
async function until(response: Response, text: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  while (!seen.includes(text)) {
    const chunk = await reader?.read()
    if (chunk === undefined || chunk.done) throw new Error(`The stream ended with ${seen}`)
    seen += chunk.value
  }
  await reader?.cancel()
  return seen
}

test('a question without a stream waits for the tasks/result of its task, and not for that of another', async () => {
  await session.send(question('a'))
  await session.send(question('b'))
  const response = await post({ jsonrpc: '2.0', id: 1, method: 'tasks/result', params: { taskId: 'b' } })
  expect(await until(response, 'task:b:1')).not.toContain('task:a:1')
})

test('a question without a stream waits for the GET of its client', async () => {
  await session.send(question('a'))
  const { response } = await get()
  expect(await until(response, 'task:a:1')).toContain('ok?')
})

test('a question that was withdrawn while it waited is not asked', async () => {
  await session.send(question('a'))
  await session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'task:a:1' } })
  await session.send(question('b'))
  const { response } = await get()
  expect(await until(response, 'task:b:1')).not.toContain('task:a:1')
})

test('progress goes to the request that has its token', async () => {
  const params = { name: 'slow', _meta: { progressToken: 7 } }
  const response = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const progress = { progressToken: 7, progress: 1 }
  await session.send({ jsonrpc: '2.0', method: 'notifications/progress', params: progress })
  await session.send({ jsonrpc: '2.0', id: 1, result: { content: [] } })
  expect(await until(response, '"result"')).toContain('notifications/progress')
})

test('after the end of a GET stream, its client has none', async () => {
  const { onend } = await get()
  onend?.()
  const sent = vi.fn()
  await session.send(question('a')).then(sent)
  expect(sent).toHaveBeenCalled()
  const response = await post({ jsonrpc: '2.0', id: 1, method: 'tasks/result', params: { taskId: 'a' } })
  await until(response, 'task:a:1')
})

test('a client that lost its stream gets the rest of it with Last-Event-ID, and nothing twice', async () => {
  const response = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } })
  const log = (data: string): JSONRPCMessage => ({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data }
  })
  await session.send(log('one'), { relatedRequestId: 1 })
  const seen = await until(response, '"one"')
  const [, lastId = ''] = [...seen.matchAll(/^id: (.+)$/gm)].at(-1) ?? []
  await session.send(log('two'), { relatedRequestId: 1 })
  const again = await get({ 'Last-Event-ID': lastId })
  expect(await until(again.response, '"two"')).not.toContain('"one"')
})
