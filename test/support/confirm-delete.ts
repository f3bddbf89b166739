import { taskTool } from 'intab/worker'
import * as z from 'zod'

export const confirmDelete = taskTool(
  'confirm_delete',
  {
    title: 'Delete a file',
    description: 'Asks before deleting',
    inputSchema: { filename: z.string() },
    taskSupport: 'required'
  },
  async ({ filename }, task) => {
    const answer = await task.elicit({
      message: `Delete ${filename}?`,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] }
    })
    const text = answer.action === 'accept' && answer.content?.['confirm'] ? `Deleted ${filename}` : 'Kept'
    return { content: [{ type: 'text', text }] }
  }
)
