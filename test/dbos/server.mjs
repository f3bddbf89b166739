// One process of the server under test. It says its port on a line of its own, and each run of a step.
import { createServer } from 'node:http'
import * as z from 'zod'

/** @type {typeof import('../../src/dbos.js')} */
const { serveOnDbos } = await import(new URL('../../dist/dbos.js', import.meta.url).href)
/** @type {typeof import('../../src/tool.js')} */
const { taskTool } = await import(new URL('../../dist/tool.js', import.meta.url).href)

const { DATABASE_URL = '' } = process.env
const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`)
const text = (/** @type {string} */ words) => ({ content: [{ type: /** @type {const} */ ('text'), text: words }] })
const config = {
  inputSchema: { name: z.string() },
  taskSupport: /** @type {const} */ ('optional'),
  onInterrupt: /** @type {const} */ ('resume')
}
const forEver = () => new Promise(() => undefined)

const tools = [
  taskTool('ask', config, async ({ name }, task) => {
    await task.step('first', () => say(`step first ${name}`))
    say(`asks ${name}`)
    const answer = await task.elicit({
      message: `Delete ${name}?`,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] }
    })
    await task.step('last', () => say(`step last ${name}`))
    return text(`${answer.action} ${String(answer.content?.confirm)} ${name}`)
  }),
  taskTool('sleep', config, async ({ name }, task) => {
    const began = await task.step('first', () => (say(`step first ${name}`), Date.now()))
    say(`sleeps ${name}`)
    await task.sleep(2_000)
    return text(`${name} slept ${Date.now() - began}`)
  }),
  taskTool('hang', config, async ({ name }, task) => {
    await task.step('first', () => say(`step first ${name}`))
    await task.step('slow', async () => {
      say(`step slow ${name}`)
      if (task.attempt === 1) await forEver()
    })
    return text(`${name} in attempt ${task.attempt}`)
  }),
  // Which of the two branches comes first to its second step differs between the attempts.
  taskTool('branches', config, async ({ name }, task) => {
    const wait = (/** @type {boolean} */ late) => new Promise((resolve) => setTimeout(resolve, late ? 50 : 0))
    const branch = async (/** @type {string} */ key, /** @type {boolean} */ late) => {
      const one = await task.step(`${key}1`, () => (say(`step ${key}1 ${name}`), `${key}1`))
      await wait(late)
      return `${one} ${await task.step(`${key}2`, () => (say(`step ${key}2 ${name}`), `${key}2`))}`
    }
    const both = await Promise.all([branch('a', task.attempt === 1), branch('b', task.attempt !== 1)])
    await task.step('slow', async () => {
      say(`step slow ${name}`)
      if (task.attempt === 1) await forEver()
    })
    return text(both.join(' '))
  }),
  taskTool('flaky', config, async ({ name }, task) => {
    const once = () =>
      task.step('flaky', () => {
        say(`step flaky ${name}`)
        if (task.attempt === 1) throw new Error('not yet')
        return 'done'
      })
    const first = await once().catch((/** @type {Error} */ error) => error.message)
    if (task.attempt === 1) await task.step('slow', () => (say(`step slow ${name}`), forEver()))
    return text(first)
  }),
  taskTool('poison', config, ({ name }, task) => {
    say(`run ${task.attempt} ${name}`)
    process.kill(process.pid, 'SIGKILL')
    return forEver()
  }),
  taskTool('fragile', { ...config, onInterrupt: 'fail' }, async ({ name }, task) => {
    await task.step('slow', () => (say(`step slow ${name}`), forEver()))
    return text('never')
  })
]

const server = await serveOnDbos({
  name: 'test',
  version: '1.0.0',
  tools,
  databaseUrl: DATABASE_URL,
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
http.listen(0, '127.0.0.1', () => {
  const address = http.address()
  if (typeof address === 'object') say(`port ${address?.port}`)
})
