// Steps, progress, a question, a notification and a sleep: a tool that has every kind of point at which a worker can die.

import { taskTool } from 'intab/worker'

/** What it comes to when it is asked `who?` and the question itself is the answer. */
export const researched = 'first "who?"'

export const research = (onstep: (step: string) => void) =>
  taskTool(
    'research',
    { inputSchema: {}, taskSupport: 'required', onInterrupt: 'resume', maxAttempts: 5 },
    async (_, task) => {
      const first = await task.step('first', () => {
        onstep('first')
        return 'first'
      })
      task.progress({ progress: 1, total: 3 })
      const { content } = await task.elicit({
        message: 'who?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } } }
      })
      await task.status('asked')
      await task.notify({ method: 'notifications/message', params: { level: 'info', data: 'half' } })
      await task.sleep(1)
      await task.step('second', () => onstep('second'))
      return { content: [{ type: 'text', text: `${first} ${JSON.stringify(content?.name)}` }] }
    }
  )
