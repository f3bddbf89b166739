import '../../../src/demo/jitless.js'
import { mcpServer } from 'intab/mcp-server'
import { serve, taskTool } from 'intab/worker'
import * as z from 'zod'

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

const confirmDelete = taskTool(
  'confirm_delete',
  {
    title: 'Delete a file',
    description: 'Asks before deleting',
    inputSchema: { filename: z.string() },
    annotations: { destructiveHint: true },
    taskSupport: 'required',
    onInterrupt: 'resume'
  },
  async ({ filename }, task) => {
    const { action } = await task.elicit({
      message: `Delete ${filename}?`,
      requestedSchema: { type: 'object', properties: {} }
    })
    if (action !== 'accept') return { ...text(`Kept ${filename}`), isError: true }
    return text(`Deleted ${filename} in attempt ${task.attempt}`)
  }
)

serve({
  name: 'webmcp',
  version: '0.0.0',
  tools: [confirmDelete],
  setup: mcpServer((server) => {
    server.registerTool('look', { annotations: { readOnlyHint: true } }, () => text('nothing new'))
    server.registerTool('wipe', { description: 'Not for agents' }, () => text('wiped'))
  })
})
