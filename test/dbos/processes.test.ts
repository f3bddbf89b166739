import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { followTask, runTask } from '../../src/index.js'
import { type Postgres, startPostgres } from './postgres.js'
import { accept, connect, disconnectAll, leaveOpen, ServerProcess, textOf } from './world.js'

let postgres: Postgres
let one: ServerProcess
let two: ServerProcess

beforeAll(async () => {
  postgres = await startPostgres()
  const url = await postgres.database()
  one = new ServerProcess(url)
  two = new ServerProcess(url)
}, 120_000)
afterAll(async () => {
  await Promise.all([one.end(), two.end()])
  await postgres.stop()
})
beforeEach(async () => {
  await Promise.all([one.start(), two.start()])
}, 60_000)
afterEach(disconnectAll)

/** Starts a task at the first process. */
const begin = async (tool: string, name: string): Promise<string> => {
  const { taskId } = await runTask(await connect(one), { name: tool, arguments: { name } })
  return taskId
}
/** What the task came to, as a new client hears it from the second process. */
const outcome = async (taskId: string, answer = leaveOpen): Promise<unknown> =>
  textOf(await (await followTask(await connect(two, answer), taskId)).result())

const stepsOf = ({ lines }: ServerProcess, name: string): string[] =>
  lines.filter((line) => line.startsWith('step') && line.endsWith(` ${name}`))

describe('two processes over one database', () => {
  it('answers through one process a question that was asked through the other', async () => {
    const asking = await connect(one)
    const run = await runTask(asking, { name: 'ask', arguments: { name: 'a' } })
    expect(await outcome(run.taskId, accept)).toBe('accept true a')
    expect(textOf(await run.result())).toBe('accept true a')
  })

  it('answers a session at a process that has never seen it, and ends it in both', async () => {
    const { url } = one
    const post = (to: URL, message: object, headers = {}): Promise<Response> =>
      fetch(to, {
        method: 'POST',
        headers: {
          Accept: 'application/json, text/event-stream',
          Authorization: 'Bearer alice',
          'Content-Type': 'application/json',
          ...headers
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...message })
      })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
    const begun = await post(url, { id: 1, method: 'initialize', params })
    const session = { 'Mcp-Session-Id': begun.headers.get('mcp-session-id') ?? '' }
    const listed = (await (await post(two.url, { id: 2, method: 'tools/list' }, session)).json()) as {
      result: { tools: { name: string }[] }
    }
    expect(listed.result.tools.map(({ name }) => name)).toContain('ask')
    const foreign = await post(two.url, { id: 3, method: 'tools/list' }, { ...session, Authorization: 'Bearer bob' })
    expect(foreign.status).toBe(404)
    const headers = { Authorization: 'Bearer alice', ...session }
    expect((await fetch(two.url, { method: 'DELETE', headers })).status).toBe(200)
    await expect.poll(async () => (await post(url, { id: 4, method: 'tools/list' }, session)).status).toBe(404)
    expect((await post(two.url, { id: 5, method: 'tools/list' }, session)).status).toBe(404)
  })

  it('shows no task to another owner, and refuses a request without a token', async () => {
    const taskId = await begin('ask', 'b')
    const bob = await connect(two, accept, 'bob')
    await expect(followTask(bob, taskId)).rejects.toMatchObject({ code: -32602 })
    expect((await fetch(one.url, { method: 'POST', body: '{}' })).status).toBe(401)
  })

  it('cancels through one process what runs in the other', async () => {
    const run = await runTask(await connect(one), { name: 'ask', arguments: { name: 'c' } })
    await one.said('step first c')
    const other = await followTask(await connect(two), run.taskId)
    await other.cancel()
    expect(await run.result()).toMatchObject({ isError: true })
    expect(one.lines).not.toContain('step last c')
  })

  it('tells ten waiters at two processes the same, once the first of them has answered', async () => {
    const taskId = await begin('ask', 'd')
    await one.said('step first d')
    // Whoever began it shows the question, or will: it goes to those who wait.
    await disconnectAll()
    const results = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const client = await connect(n % 2 === 0 ? one : two, accept)
        return textOf(await (await followTask(client, taskId)).result())
      })
    )
    expect(new Set(results)).toEqual(new Set(['accept true d']))
    expect(stepsOf(one, 'd')).toEqual(['step first d', 'step last d'])
  })
})

describe('a process that is killed', () => {
  it('in an open question: another asks it again under its id, and repeats no step', async () => {
    const taskId = await begin('ask', 'k')
    await one.said('asks k')
    await one.end()
    expect(await outcome(taskId, accept)).toBe('accept true k')
    expect(stepsOf(two, 'k')).toEqual(['step last k'])
  })

  it('in a step and in a sleep: only what was not finished is done again', async () => {
    const hung = await begin('hang', 'l')
    const slept = await begin('sleep', 'm')
    await one.said('step slow l')
    await one.said('sleeps m')
    await one.end()
    expect(await outcome(hung)).toBe('l in attempt 2')
    expect(await outcome(slept)).toMatch(/^m slept \d+$/)
    expect(stepsOf(two, 'l')).toEqual(['step slow l'])
    expect(stepsOf(two, 'm')).toEqual([])
  })

  it('with steps side by side: finds each by its name, in whatever order they begin', async () => {
    const taskId = await begin('branches', 'n')
    await one.said('step slow n')
    await one.end()
    expect(await outcome(taskId)).toBe('a1 a2 b1 b2')
    expect(stepsOf(two, 'n')).toEqual(['step slow n'])
  })

  it('after a step that failed: runs that step again', async () => {
    const taskId = await begin('flaky', 'o')
    await one.said('step slow o')
    await one.end()
    expect(await outcome(taskId)).toBe('done')
  })

  it('with a tool that does not resume: fails its task, and says so', async () => {
    const taskId = await begin('fragile', 'p')
    await one.said('step slow p')
    await one.end()
    expect(await outcome(taskId)).toMatch(/stopped before it finished/)
  })

  it('by its own tool: runs it three times, and then no more', async () => {
    const taskId = await begin('poison', 'q')
    const runs = (): string[] => [...one.lines, ...two.lines].filter((line) => line.endsWith(' q'))
    // Whichever process dies of it comes again.
    const settled = expect.poll(
      async () => {
        await Promise.all([one.start(), two.start()]).catch(() => undefined)
        return runs().length
      },
      { timeout: 60_000 }
    )
    await settled.toBe(3)
    await Promise.all([one.start(), two.start()])
    expect(await outcome(taskId)).toMatch(/run 3 times and got no further/)
    expect(runs().sort()).toEqual(['run 1 q', 'run 2 q', 'run 3 q'])
  })

  it('by SIGTERM: leaves its tasks to the others, and no step counts as failed', async () => {
    const taskId = await begin('hang', 'r')
    await one.said('step slow r')
    expect(await one.end('SIGTERM')).toBe(0)
    expect(await outcome(taskId)).toBe('r in attempt 2')
  })
})
