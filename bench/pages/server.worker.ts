// intab with the tools of the bench; `?database=` chooses the database, `&kept=` how many tasks it keeps, whatever else is in
// the URL makes another worker.

import { mcpServer } from 'intab/mcp-server'
import { serve, taskTool } from 'intab/worker'
import * as z from 'zod'
import { now } from '../floors/clock.js'
import { openSide, released } from './side.js'

const { searchParams } = new URL(location.href)
const database = searchParams.get('database') ?? 'bench'
const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: String(value) }] })

openSide()

/** Ends at once. */
const instant = taskTool('instant', { inputSchema: {}, taskSupport: 'required' }, () => text(now()))

/** Ends when the side channel says so, and tells when that was. */
const hold = taskTool('hold', { inputSchema: {}, taskSupport: 'required' }, async (_, task) => {
  await released(task.id)
  return text(now())
})

/** Asks when the side channel says so; the question tells when it was asked, the result how long the answer took. */
const ask = taskTool('ask', { inputSchema: {}, taskSupport: 'required' }, async (_, task) => {
  await released(task.id)
  const properties = { at: { type: 'number' as const } }
  const answer = await task.elicit({ message: String(now()), requestedSchema: { type: 'object', properties } })
  return text(now() - Number(answer.content?.at))
})

const spin = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
}

/** Works for a second in 10,000 steps, reports each or none, and tells how long it took. */
const work = taskTool(
  'work',
  { inputSchema: { report: z.boolean(), ballast: z.string() }, taskSupport: 'required' },
  async ({ report }, task) => {
    const start = performance.now()
    for (let step = 1; step <= 10_000; step += 1) {
      // A block of steps at a time: the clock of a worker is coarse.
      if (step % 100 === 0) {
        spin(9)
        await new Promise((resolve) => setTimeout(resolve))
      }
      if (report) task.progress({ progress: step, total: 10_000 })
    }
    return text(performance.now() - start)
  }
)

/** Reports ten times a second until the side channel says that it is enough. */
const report = taskTool('report', { inputSchema: {}, taskSupport: 'required' }, async (_, task) => {
  let enough = false
  const stop = (async () => {
    await released(task.id)
    enough = true
  })()
  for (let step = 1; !enough; step += 1) {
    task.progress({ progress: step })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop
  return text(now())
})

/** Asks at once, and would wait for ever. */
const wonder = taskTool('wonder', { inputSchema: {}, taskSupport: 'required' }, async (_, task) => {
  const answer = await task.elicit({ message: 'Well?', requestedSchema: { type: 'object', properties: {} } })
  return text(answer.action)
})

const mirror = taskTool('mirror', { inputSchema: { text: z.string() }, taskSupport: 'required' }, (args) =>
  text(args.text)
)

serve({
  name: 'bench',
  version: '0.0.0',
  database,
  tools: [instant, hold, ask, work, report, wonder, mirror],
  limits: { unfinished: 1e6, kept: Number(searchParams.get('kept') ?? 1e7), operations: 1e6, bytes: 2 ** 27 },
  setup: mcpServer((server) => {
    server.registerTool('echo', { inputSchema: { text: z.string() } }, ({ text }) => ({
      content: [{ type: 'text', text }]
    }))
  })
})
