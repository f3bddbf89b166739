import { taskTool } from 'intab/worker'
import * as z from 'zod'

/** Shows a sleep until a stored time: who restarts in between waits for the rest, not anew. */
export const countdown = taskTool(
  'countdown',
  {
    title: 'Count down',
    description: 'Sleeps until a stored time. Kill the worker or close the browser meanwhile: it wakes when it should.',
    inputSchema: { seconds: z.number().int().min(1).max(86_400).default(30).meta({ title: 'Seconds' }) },
    taskSupport: 'optional',
    onInterrupt: 'resume',
    maxAttempts: 100
  },
  async ({ seconds }, task) => {
    const end = await task.step('end', () => Date.now() + seconds * 1000)
    const tell = (): void => {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
      task.progress({ progress: seconds - left, total: seconds, message: `${left} s left` })
    }
    tell()
    const ticking = setInterval(tell, 1000)
    try {
      await task.sleep(end - Date.now(), { key: 'end' })
    } finally {
      clearInterval(ticking)
    }
    const late = Date.now() - end
    const text = `Woke in run ${task.attempt}, ${late < 1000 ? 'on time' : `${Math.round(late / 1000)} s late`}`
    return { content: [{ type: 'text', text }] }
  }
)
