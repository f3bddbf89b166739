// A worker of task tools only, as the quick start's: what begins and ends in the bench.

import { serve, taskTool } from 'intab/worker'
import { now } from '../floors/clock.js'
import { openSide } from './side.js'

const database = new URL(location.href).searchParams.get('database') ?? 'bench'
const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: String(value) }] })

openSide()

/** Waits in its first run for the death of its worker, and ends at once in the next. */
const again = taskTool(
  'again',
  { inputSchema: {}, taskSupport: 'required', onInterrupt: 'resume' },
  async (_, { attempt }) => {
    if (attempt === 1) await new Promise(() => undefined)
    return text(now())
  }
)

serve({ name: 'bench', version: '0.0.0', database, tools: [again] })
