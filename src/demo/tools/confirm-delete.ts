import { taskTool, type TaskTool } from 'intab/worker'
import * as z from 'zod'

/** Shows a question: the task waits for its answer, in whichever tab that is given. `remove` is false for what is not there. */
export const confirmDelete = (remove: (filename: string) => Promise<boolean>): TaskTool =>
  taskTool(
    'confirm_delete',
    {
      title: 'Delete a note',
      description: "Asks before it deletes a file of this origin's private file system.",
      inputSchema: {
        filename: z
          .string()
          .min(1)
          .default('notes.txt')
          .meta({ title: 'File', description: 'Save a note to have one.' })
      },
      annotations: { destructiveHint: true },
      taskSupport: 'required',
      onInterrupt: 'resume'
    },
    async ({ filename }, task) => {
      const answer = await task.elicit({
        message: `Delete ${filename}?`,
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: 'Yes, delete it' } },
          required: ['confirm']
        }
      })
      if (answer.action !== 'accept' || answer.content?.['confirm'] !== true) return say(`Kept ${filename}`)
      const existed = await task.step('remove', () => remove(filename))
      return say(existed ? `Deleted ${filename}` : `There was no ${filename}`)
    }
  )

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
