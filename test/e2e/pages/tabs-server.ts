// The server of the tabs' tests, for whatever it runs in.

import { mcpServer, type McpServerSetup } from 'intab/mcp-server'
import { serve, taskTool, type IntabEvent, type Server, type ServeOptions } from 'intab/worker'
import * as z from 'zod'

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

/** Clients that poll are so slow that a test which waits for a poll fails. */
const pollInterval = 60_000

const ask = taskTool(
  'ask',
  {
    inputSchema: { message: z.string() },
    taskSupport: 'optional',
    onInterrupt: 'resume',
    maxAttempts: 9,
    pollInterval
  },
  async ({ message }, task) => {
    const { content } = await task.elicit({
      message,
      requestedSchema: { type: 'object', properties: { text: { type: 'string' } } }
    })
    return text(`${message} ${String(content?.['text'])}`)
  }
)

const work = taskTool(
  'work',
  { inputSchema: { ms: z.number() }, taskSupport: 'optional', onInterrupt: 'resume', maxAttempts: 9, pollInterval },
  async ({ ms }, task) => {
    await task.sleep(ms)
    return text('done')
  }
)

const endless = taskTool(
  'endless',
  { inputSchema: {}, taskSupport: 'required', pollInterval },
  () => new Promise<never>(() => undefined)
)

const events: IntabEvent[] = []

const setup: McpServerSetup = (server) => {
  const { sendLoggingMessage } = server.server
  const log = (level: 'debug' | 'error'): Promise<void> =>
    sendLoggingMessage.call(server.server, { level, data: level })
  server.registerTool('log', {}, async () => {
    await log('debug')
    await log('error')
    return text('logged')
  })
  server.registerTool('events', {}, () => text(JSON.stringify(events)))
  server.registerTool('never', {}, () => new Promise<never>(() => undefined))
  server.registerTool('close_worker', {}, () => {
    globalThis.close()
    return new Promise<never>(() => undefined)
  })
  server.registerTool('ask_plainly', {}, async () => {
    const { action } = await server.server.elicitInput({
      message: 'plain?',
      requestedSchema: { type: 'object', properties: {} }
    })
    return text(action)
  })
}

export const serveTabs = (options: Partial<ServeOptions> = {}): Server =>
  serve({
    name: 'tabs',
    version: '0.0.0',
    tools: [ask, work, endless],
    setup: mcpServer(setup),
    owner: ({ data }) => (typeof data === 'string' ? data : 'everybody'),
    // Nobody is asked who does not wait for the task, so that a test knows whom it will be.
    deliveryGrace: 60_000,
    onevent: (event) => events.push(event),
    ...options
  })
