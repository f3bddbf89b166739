import { restartOnEdit, serve, taskTool } from 'intab/worker'
import * as z from 'zod'

const confirmDelete = taskTool(
  'confirm_delete',
  {
    description: 'Asks before deleting',
    inputSchema: { filename: z.string() },
    taskSupport: 'optional',
    onInterrupt: 'resume'
  },
  async ({ filename }, task) => {
    const { action, content } = await task.elicit({
      message: `Delete ${filename}?`,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] }
    })
    const agreed = action === 'accept' && content?.confirm === true
    return { content: [{ type: 'text', text: `${agreed ? 'Deleted' : 'Kept'} ${filename}` }] }
  }
)

serve({ name: 'files', version: '1.0.0', tools: [confirmDelete] })

// In development an edited worker keeps its URL, and so the old one would go on.
if (process.env.NODE_ENV === 'development') restartOnEdit()
