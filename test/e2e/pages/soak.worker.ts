import '../../../src/demo/jitless.js'
import { serve, type TaskContext, taskTool } from 'intab/worker'
import * as z from 'zod'
import { type Job, messageOf, type Note, stepKey } from '../soak/facts.js'
import { note } from './side-log.js'

/** Does what the job says, and answers with the values of its steps and the answers to its questions. */
async function run({ label, acts }: Job, task: TaskContext): Promise<string[]> {
  const tell = (what: Note['what'], at: number, token = ''): Promise<void> =>
    note(JSON.stringify({ label, attempt: task.attempt, what, at, token } satisfies Note))
  const got: string[] = []
  await tell('run', -1)
  for (const [at, act] of acts.entries()) {
    if (act === 'report') {
      task.progress({ progress: at + 1, total: acts.length })
      await task.status(`act ${at}`)
    } else if (act === 'nap') await task.sleep(20)
    else if (act === 'step') {
      const token = await task.step(stepKey(at), async () => {
        const made = crypto.randomUUID()
        await tell('begin', at, made)
        return made
      })
      await tell('kept', at, token)
      got.push(token)
    } else {
      const { content } = await task.elicit(
        {
          message: messageOf(label, at),
          requestedSchema: { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] }
        },
        { key: stepKey(at) }
      )
      const token = String(content?.token)
      await tell('answer', at, token)
      got.push(token)
    }
  }
  return got
}

const inputSchema = { label: z.string(), acts: z.array(z.enum(['step', 'ask', 'report', 'nap'])) }
const common = { inputSchema, taskSupport: 'required', pollInterval: 60_000 } as const
const answer = async (job: Job, task: TaskContext) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(await run(job, task)) }]
})

serve({
  name: 'soak',
  version: '0.0.0',
  tools: [
    taskTool('durable', { ...common, onInterrupt: 'resume', maxAttempts: 1000 }, answer),
    taskTool('fragile', common, answer)
  ],
  deliveryGrace: 300
})
