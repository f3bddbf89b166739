import { serve, taskTool } from 'intab/worker'
import * as z from 'zod'

const confirmDelete = taskTool(
  'confirm_delete',
  {
    description: 'Deletes a file after the user agreed',
    inputSchema: { filename: z.string() },
    taskSupport: 'optional',
    onInterrupt: 'resume'
  },
  async ({ filename }, task) => {
    const answer = await task.elicit({
      message: `Delete ${filename}?`,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] }
    })
    const text = answer.action === 'accept' && answer.content?.confirm ? `Deleted ${filename}` : `Kept ${filename}`
    return { content: [{ type: 'text', text }] }
  }
)

serve({ name: 'files', version: '1.0.0', tools: [confirmDelete] })
