import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { listTasks, runTask } from '../../src/index.js'
import { META } from '../../src/modern/keys.js'
import { randomOf } from '../support/random.js'
import { RawConnection } from '../support/raw.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'
import { Fuzz } from './fuzz.js'

const count = Number(process.env['INTAB_FUZZ_MESSAGES'] ?? 5000)
const seed = Number(process.env['INTAB_FUZZ_SEED'] ?? 42)

const ask = toolOf('ask', async (_, task) => {
  const { action } = await task.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } })
  return text(action)
})

interface Message {
  jsonrpc?: unknown
  id?: unknown
  method?: unknown
  params?: { requestId?: unknown } | null
}

const isRequest = ({ jsonrpc, id, method }: Message): boolean =>
  jsonrpc === '2.0' && typeof method === 'string' && (typeof id === 'string' || Number.isInteger(id))

/** A listen goes on for as long as its connection does, once it was acknowledged. */
function acknowledged(message: JSONRPCMessage): unknown {
  if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged') return undefined
  return message.params?._meta?.[META.subscription]
}

/** Messages that nobody can answer are reported, and that is all. */
const reported = /^(Unknown message type|Received a response for an unknown|Uncaught error in notification handler)/

const rule = 'no nonsense on the port crashes the server, leaves a request unanswered or touches a foreign row'

test(`${rule} (${count} messages, seed ${seed})`, { timeout: Math.max(300_000, count * 10) }, async () => {
  const held = gate()
  const world = new World({
    tools: [toolOf('quick', () => text('done')), ask, toolOf('held', async () => (await held.opened, text('held')))],
    owner: ({ data }) => (data === 'attacker' ? 'attacker' : 'ann'),
    limits: { operations: 1_000_000, unfinished: 50, kept: 200 }
  })
  const ann = await world.tab({ data: 'ann' })
  const mine = await runTask(ann.client, { name: 'held' })
  const before = await listTasks(ann.client)

  const random = randomOf(seed)
  const fuzz = new Fuzz(random)
  fuzz.seen.push(mine.taskId)
  const open = async (): Promise<RawConnection> => {
    const connection = await RawConnection.open(world, 'attacker')
    if (random.chance(0.8)) await connection.initialize()
    return connection
  }
  const connections = [await open()]
  let unanswered = new Set<unknown>()
  let raw = connections[0] as RawConnection
  for (let sent = 0; sent < count; sent++) {
    const message = (fuzz.message() ?? {}) as Message
    if (isRequest(message)) unanswered.add(message.id)
    if (message.method === 'notifications/cancelled') unanswered.delete(message.params?.requestId)
    const taken = raw.say(message).catch((error: { code?: unknown }) => expect(error.code).toBeDefined())
    if (random.chance(0.2)) await taken
    if (random.below(500) === 0) {
      await raw.close()
      connections.push((raw = await open()))
      unanswered = new Set()
    }
    fuzz.learn(raw.received.slice(-2))
  }

  await raw.ask('intab/forget')
  await expect
    .poll(() => {
      for (const message of raw.received) unanswered.delete('method' in message ? acknowledged(message) : message.id)
      return [...unanswered]
    })
    .toEqual([])
  expect(connections.flatMap(({ received }) => received).some(acknowledged)).toBe(true)
  const answers = connections.flatMap(({ received }) => received.filter((message) => !('method' in message)))
  expect(answers.length).toBeGreaterThan(count / 10)
  const errors = answers.flatMap((answer) => ('error' in answer ? [answer] : []))
  for (const answer of errors) {
    expect(Number.isSafeInteger(answer.error.code), JSON.stringify(answer)).toBe(true)
    expect(answer.error.code, JSON.stringify(answer)).not.toBe(-32603)
  }
  expect(await listTasks(ann.client)).toEqual(before)
  const troubles = world.living().eventsOf('error')
  expect(troubles.map(({ error }) => error.message).filter((message) => !reported.test(message))).toEqual([])
  held.open()
  expect(await mine.result()).toMatchObject(text('held'))
})
