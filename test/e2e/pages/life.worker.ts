import '../../../src/demo/jitless.js'
import { serve, taskTool } from 'intab/worker'
import * as z from 'zod'
import { confirmDelete } from '../../support/confirm-delete.js'
import { note } from './side-log.js'

function noise(bytes: number): string {
  const random = new Uint8Array(bytes)
  for (let i = 0; i < bytes; i += 65_536) crypto.getRandomValues(random.subarray(i, i + 65_536))
  return Array.from(random, (byte) => String.fromCharCode(33 + (byte % 90))).join('')
}

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

/** Works in steps, asks in the middle, and goes on after a death. */
const survey = taskTool(
  'survey',
  { inputSchema: {}, taskSupport: 'required', onInterrupt: 'resume', maxAttempts: 20, pollInterval: 60_000 },
  async (_, task) => {
    await task.step('before', () => note(`${task.id} before`))
    const { action } = await task.elicit({ message: 'go on?', requestedSchema: { type: 'object', properties: {} } })
    await task.step('after', () => note(`${task.id} after`))
    return text(action)
  }
)

/** Ends at a stored time, whoever runs it then. */
const nap = taskTool(
  'nap',
  { inputSchema: { ms: z.number() }, taskSupport: 'required', onInterrupt: 'resume', maxAttempts: 20 },
  async ({ ms }, task) => {
    await task.sleep(ms)
    return text(`woke in run ${task.attempt}`)
  }
)

/** Returns so many bytes of text, which no disk can compress. */
const large = taskTool('large', { inputSchema: { bytes: z.number() }, taskSupport: 'required' }, ({ bytes }) =>
  text(noise(bytes))
)

/** Speaks to the worker's console. */
const chatter = taskTool('chatter', { inputSchema: { lines: z.number() }, taskSupport: 'required' }, ({ lines }) => {
  for (let n = 1; n <= lines; n += 1) console.warn(`line ${n}`, { of: lines })
  return text('said')
})

serve({
  name: 'life',
  version: '0.0.0',
  tools: [confirmDelete, survey, nap, large, chatter],
  limits: { unfinished: 10_000, kept: 10_000 },
  // However slow the machine, a question is for whoever waits.
  deliveryGrace: 60_000
})
