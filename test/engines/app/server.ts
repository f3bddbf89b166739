// The server of the scenarios: two builds of it differ in their version.

import { mcpServer } from 'intab/mcp-server'
import { serve, taskTool } from 'intab/worker'
import * as z from 'zod'

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })
const resumes = { onInterrupt: 'resume', maxAttempts: 1_000 } as const

const quick = taskTool('quick', { inputSchema: {}, taskSupport: 'optional' }, () => text('done'))

const ask = taskTool('ask', { inputSchema: {}, taskSupport: 'optional', ...resumes }, async (_, task) => {
  const { action, content } = await task.elicit({
    message: 'q',
    requestedSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
  })
  return text(`q ${action === 'accept' ? String(content?.['text']) : action}`)
})

const count = taskTool('count', { inputSchema: { to: z.number() }, taskSupport: 'required' }, async ({ to }, task) => {
  for (let progress = 1; progress <= to; progress++) {
    task.progress({ progress, total: to })
    await task.sleep(1, { key: String(progress) })
  }
  return text(`counted to ${to}`)
})

/** Ends at a stored time, whoever runs it then. */
const sleep = taskTool(
  'sleep',
  { inputSchema: { ms: z.number() }, taskSupport: 'required', ...resumes },
  async ({ ms }, task) => {
    await task.sleep(ms)
    return text('done')
  }
)

const endless = taskTool('endless', { inputSchema: {}, taskSupport: 'required' }, async (_, task) => {
  await task.sleep(3_600_000)
  return text('never')
})

/** Returns so many bytes of text, which no disk can compress. */
const large = taskTool('large', { inputSchema: { bytes: z.number() }, taskSupport: 'required' }, ({ bytes }) => {
  const noise = Array.from({ length: Math.ceil(bytes / 36) }, () => crypto.randomUUID()).join('')
  return text(noise.slice(0, bytes))
})

export function serveVersion(version: string): void {
  serve({
    name: 'engines',
    version,
    tools: [quick, ask, count, sleep, endless, large],
    setup: mcpServer((server) => {
      server.registerTool('version', {}, () => text(version))
      // As a crash: nobody is told, and whoever waits hears nothing.
      server.registerTool('die', {}, () => {
        globalThis.close()
        return new Promise<never>(() => undefined)
      })
    }),
    limits: { unfinished: 10_000, kept: 10_000 },
    // However slow the machine, a question is for the tab that waits for it.
    deliveryGrace: 60_000
  })
}
