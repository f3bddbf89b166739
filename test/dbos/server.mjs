// One process of the server under test. It says its port on a line of its own, and each run of a step.
import { createServer } from 'node:http'
import { Pool } from 'pg'
import * as z from 'zod'
import { scenarioTools } from '../scenarios/tools.mjs'

/** @type {typeof import('../../src/dbos.js')} */
const { serveOnDbos } = await import(new URL('../../dist/dbos.js', import.meta.url).href)
/** @type {typeof import('../../src/tool.js')} */
const { taskTool } = await import(new URL('../../dist/tool.js', import.meta.url).href)

/** @type {typeof import('../../src/mcp-server.js')} */
const { mcpServer } = await import(new URL('../../dist/mcp-server.js', import.meta.url).href)

const { DATABASE_URL = '' } = process.env
const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`)

/** Kills its process. */
const poison = taskTool(
  'poison',
  { inputSchema: { name: z.string() }, taskSupport: 'optional', onInterrupt: 'resume' },
  ({ name }, task) => {
    say(`run ${task.attempt} ${name}`)
    process.kill(process.pid, 'SIGKILL')
    return new Promise(() => undefined)
  }
)

const effects = new Pool({ connectionString: DATABASE_URL, max: 4 })
/** Leaves a row for each run of a step, in the table of the load test. */
const work = taskTool(
  'work',
  { inputSchema: { name: z.string() }, taskSupport: 'optional', onInterrupt: 'resume', maxAttempts: 100 },
  async ({ name }, task) => {
    const effect = async (/** @type {string} */ step) => {
      await effects.query('INSERT INTO effects (name, step) VALUES ($1, $2)', [name, step])
      return step
    }
    await task.step('first', () => effect('first'))
    if (Math.random() < 0.3) await task.status('working')
    const answer = await task.elicit({
      message: 'Go on?',
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] }
    })
    await task.sleep(100)
    await task.step('last', () => effect('last'))
    return { content: [{ type: 'text', text: answer.action === 'accept' ? `done ${name}` : answer.action }] }
  }
)

const inTab = taskTool(
  'in_tab',
  { inputSchema: {}, taskSupport: 'optional', onInterrupt: 'resume' },
  async (_, task) => {
    say(`asks a tab in run ${task.attempt}`)
    return { content: (await task.callTab('where', {})).content }
  }
)

const server = await serveOnDbos({
  name: 'test',
  version: '1.0.0',
  tools: [...scenarioTools(taskTool, z, say), poison, work, inTab],
  setup: mcpServer((mcp) => {
    mcp.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }]
    }))
    mcp.registerTool('wonder', {}, async () => {
      const { action } = await mcp.server.elicitInput({
        message: 'Well?',
        requestedSchema: { type: 'object', properties: {} }
      })
      return { content: [{ type: 'text', text: action }] }
    })
  }),
  databaseUrl: DATABASE_URL,
  limits: { unfinished: 10_000, kept: 100_000 },
  owner: (request) => /^Bearer (\w+)$/.exec(request.headers.get('authorization') ?? '')?.[1],
  onevent: (event) => {
    if (event.type === 'error') process.stderr.write(`${event.while}: ${event.error.stack}\n`)
  }
})
process.once('SIGTERM', () => {
  server.close().then(
    () => process.exit(0),
    (error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(1)
    }
  )
})
const http = createServer((request, response) => server.handler(request, response))
// A connection that a client is about to use must not be closed: a busy machine makes that likely.
http.keepAliveTimeout = 0
http.listen(0, '127.0.0.1', () => {
  const address = http.address()
  if (typeof address === 'object') say(`port ${address?.port}`)
})
