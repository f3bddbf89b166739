// Nonsense, and good messages between it, over both sides of the bridge. `npm run test:all bridge-fuzz` sends 20,000.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { relay } from '../../src/bridge/relay.js'
import { randomOf } from '../support/random.js'
import { RawHttp } from '../support/raw-http.js'
import { forms } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'
import { pageSide, worldBridge } from '../support/world-bridge.js'
import { HttpFuzz, maxMessage } from './fuzz-http.js'
import { StdioFuzz } from './fuzz-stdio.js'

const messages = Number(process.env['INTAB_BRIDGE_FUZZ'] ?? 200)
const seed = Number(process.env['INTAB_BRIDGE_SEED'] ?? 7)
/** Only ends what hangs. */
const timeout = Math.max(30_000, messages * 100)

const ask = toolOf('ask', async (_, task) => {
  const form = {
    message: '?',
    requestedSchema: { type: 'object' as const, properties: { a: { type: 'string' as const } } }
  }
  return text((await task.elicit(form)).action)
})

const worldOf = (release: Promise<void>): World =>
  new World({
    tools: [toolOf('quick', () => text('quick')), ask],
    limits: { operations: 1_000_000, unfinished: 100_000, kept: 200 },
    owner: ({ connection }) => connection,
    setup(server) {
      server.registerTool('echo', {}, () => text('echo'))
      server.registerTool('held', {}, async () => {
        await release
        return text('held')
      })
      server.registerTool('bigint', {}, () => ({ content: [], _meta: { big: 1n } }))
    }
  })

function collected(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

/** A client that wants nothing but what it is due. */
async function bystander(client: RawHttp): Promise<void> {
  expect(await client.ok('tools/call', { name: 'echo' })).toEqual(text('echo'))
  const asking = await client.ask('tools/call', { name: 'ask' })
  const { id } = await asking.next(({ method }) => method === 'elicitation/create')
  await client.post({ jsonrpc: '2.0', id, result: { action: 'decline' } })
  expect(await asking.next((message) => 'result' in message)).toMatchObject({ result: text('decline') })
}

test(
  `over HTTP: each id is answered once or its stream ends, and nobody else notices (${messages} messages, seed ${seed})`,
  { timeout },
  async () => {
    const end = gate()
    const world = worldOf(end.opened)
    const { url } = await worldBridge(world, {
      maxMessage,
      sessions: { silence: 20, sessions: 100, replay: 4 * 1024 * 1024 }
    })
    const other = await RawHttp.open(url, forms)
    const stream = await other.get()
    const fuzz = new HttpFuzz(url, randomOf(seed))
    await bystander(other)
    const before = collected()
    for (let sent = 0; sent < messages; sent += 20) {
      await Promise.all([...Array(20)].map(() => fuzz.step()))
      if (sent % 200 === 0) await bystander(other)
    }
    fuzz.die()
    await bystander(other)
    // Calls that run keep the connection of a client that is gone, and nothing else does.
    end.open()
    const worker = world.living()
    // The bystander's, and the one that all requests of 2026-07-28 share.
    const due = fuzz.sent.has('2026-07-28') ? 2 : 1
    await expect.poll(() => worker.eventsOf('opened').length - worker.eventsOf('closed').length).toBe(due)
    expect((collected() - before) / 2 ** 20).toBeLessThan(40 + messages / 200)
    expect([...fuzz.sent.values()].reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(messages)
    stream.cut()
  }
)

test(
  `on stdio: each id is answered once, each nonsense refused (${messages} messages, seed ${seed})`,
  { timeout },
  async () => {
    const fuzz = new StdioFuzz(randomOf(seed))
    const page = pageSide(worldOf(new Promise(() => undefined)))
    const { answered, end } = await relay(fuzz.stdio, page, () => undefined)
    const before = collected()
    for (let sent = 0; sent < messages; sent += 50) await fuzz.say(50)
    fuzz.end()
    await fuzz.stdio.ended
    await answered()
    await end(new Error('over'))
    const counts = new Map<unknown, number>()
    for (const { id, method, error } of fuzz.output) {
      if (method === undefined && error?.code !== -32600 && error?.code !== -32700)
        counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    expect(fuzz.asked.filter((id) => counts.get(id) !== 1)).toEqual([])
    expect(fuzz.cancelled.filter((id) => counts.has(id))).toEqual([])
    const refused = fuzz.output.flatMap(({ error }) =>
      error && [-32600, -32700].includes(error.code) ? [error.code] : []
    )
    expect(refused).toEqual(fuzz.refused)
    expect((collected() - before) / 2 ** 20).toBeLessThan(40 + messages / 200)
  }
)
