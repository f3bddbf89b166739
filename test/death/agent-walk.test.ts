// A conversation of the board's agent whose tab closes, or whose worker dies, at every step: another tab goes on with it,
// and no tool runs twice.

import { Client as Client2, type ClientOptions } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AgentTool, agentTools, type ConnectedClient, listTasks } from '../../src/index.js'
import { type Conversation, keep, newConversation, read } from '../../src/demo/agent/conversations.js'
import { goOn } from '../../src/demo/agent/loop.js'
import { type Model, textOf } from '../../src/demo/agent/model.js'
import { MODERN } from '../../src/modern/keys.js'
import type { WorkerTransport } from '../../src/link/worker-transport.js'
import { counter } from '../support/kill-walk.js'
import { text, toolOf } from '../support/tools.js'
import { Tab, World } from '../support/world.js'

const requestedSchema = {
  type: 'object' as const,
  properties: { sure: { type: 'boolean' as const } },
  required: ['sure']
}
const yes = () => ({ action: 'accept' as const, content: { sure: true } })

/** Calls the task tool, then the plain one, and says what they returned. */
const model: Model = {
  label: 'Script',
  next(messages, tools: readonly AgentTool[]) {
    expect(tools.map(({ name }) => name).sort()).toEqual(['note', 'wipe'])
    const calls = messages.filter((message) => message.role === 'tool')
    const name = ['wipe', 'note'][calls.length]
    return Promise.resolve(name === undefined ? calls.map(textOf).join(', ') : { name, arguments: {} })
  }
}

interface Opened {
  client: ConnectedClient
  transport: WorkerTransport
  crash(): void
}

const modes: Record<string, (world: World) => Promise<Opened>> = {
  'SDK v1': async (world) => {
    const tab = new Tab(world, { onelicit: yes })
    await tab.client.connect(tab.transport)
    return { client: tab.client, transport: tab.transport, crash: () => tab.crash() }
  },
  'SDK v2 in 2025-11-25': (world) => withV2(world, {}),
  [`SDK v2 in ${MODERN}`]: (world) => withV2(world, { versionNegotiation: { mode: { pin: MODERN } } })
}

async function withV2(world: World, options: ClientOptions): Promise<Opened> {
  const client = new Client2(
    { name: 'v2', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, ...options }
  )
  client.setRequestHandler('elicitation/create', yes)
  onTestFinished(() => client.close())
  const { transport, locks } = world.transport()
  await client.connect(transport)
  return { client, transport, crash: () => locks.die() }
}

/** What dies at a point of the first tab, or of the first worker; '' never comes. */
interface Death {
  ofTab?: string
  /** Without SharedWorker a tab takes its worker along. */
  withWorker?: boolean
  ofWorker?: string
}

async function walk(open: (world: World) => Promise<Opened>, { ofTab, withWorker, ofWorker }: Death) {
  let effects = 0
  let noted = 0
  const wipe = toolOf(
    'wipe',
    async (_, task) => {
      await task.elicit({ message: 'Sure?', requestedSchema })
      await task.step('wipe', () => void (effects += 1))
      return text('wiped')
    },
    { onInterrupt: 'resume' }
  )
  const world = new World({
    tools: [wipe],
    setup: (server) => void server.registerTool('note', {}, () => text(`noted ${(noted += 1)}`))
  })
  const points: { tab: string[]; worker: string[] } = { tab: [], worker: [] }
  const ofFirstWorker = counter()
  world.onpoint((worker, point) => {
    if (worker !== world.workers[0]) return
    const name = ofFirstWorker(point)
    points.worker.push(name)
    if (name === ofWorker) worker.kill()
  })

  /** Goes on with the conversation in a tab that may close at a point; resolves when it did, or when the agent answered. */
  const inTab = async (id: string, closeAt: string | undefined, note: (point: string) => void): Promise<void> => {
    const { client, transport, crash } = await open(world)
    const numbered = counter()
    let closed: () => void = () => undefined
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    let dead = false
    /** Whether the tab is still there after it has come to this point. */
    const lives = (point: string): boolean => {
      if (dead) return false
      const name = numbered(point)
      note(name)
      if (name === closeAt) {
        dead = true
        crash()
        if (withWorker) world.living().kill()
        closed()
      }
      return !dead
    }
    const never = new Promise<never>(() => undefined)
    const { send, onmessage } = transport
    transport.send = async (message, options) => {
      const what = 'method' in message ? message.method : 'answer'
      if (!lives(`before:${what}`)) return never
      await send.call(transport, message, options)
      if (!lives(`sent:${what}`)) return never
    }
    transport.onmessage = (message, extra) => {
      if (lives('method' in message ? `got:${message.method}` : 'got')) onmessage?.(message, extra)
    }
    const conversation = (await read(id)) as Conversation
    const turn = goOn({
      conversation,
      model,
      tools: agentTools(client),
      async keep() {
        if (!lives('before:keep')) return never
        await keep(conversation)
        if (!lives('kept')) return never
      },
      onstatus: () => undefined,
      signal: new AbortController().signal
    })
    await Promise.race([turn, isClosed])
  }

  const asked = newConversation()
  asked.messages.push({ role: 'user', text: 'Wipe it and note that' })
  await keep(asked)
  await inTab(asked.id, ofTab, (point) => points.tab.push(point))
  await inTab(asked.id, undefined, () => undefined)
  const { messages } = (await read(asked.id)) as Conversation
  const { client } = await open(world)
  const { tasks } = await listTasks(client)
  return { points, messages, tasks, effects, noted }
}

describe.each(Object.entries(modes))('a conversation of the agent with a client of %s', (_, open) => {
  const check = async (death: Death) => {
    const { points, messages, tasks, effects, noted } = await walk(open, death)
    const where = JSON.stringify(death)
    const [, wiped, note, answer] = messages
    expect(
      messages.map(({ role }) => role),
      where
    ).toEqual(['user', 'tool', 'tool', 'agent'])
    expect(
      tasks.map(({ status }) => status),
      where
    ).toEqual(['completed'])
    expect(wiped, where).toMatchObject({ taskId: tasks[0]?.taskId, result: text('wiped') })
    // A step whose worker died before it was kept runs again: docs/life.md.
    const mayRepeat = (death.ofWorker || death.withWorker) && !points.worker.includes('committed:step#0')
    expect(effects, where).toBeGreaterThanOrEqual(1)
    expect(effects, where).toBeLessThanOrEqual(mayRepeat ? 2 : 1)
    // A plain tool has no task: it ran once, or perhaps, and then the conversation says so.
    expect(noted, where).toBeLessThanOrEqual(1)
    const said = note?.role === 'tool' ? textOf(note) : ''
    if (noted === 0 || said !== 'noted 1') expect(said, where).toContain('tool note may have run')
    expect(answer, where).toEqual({ role: 'agent', text: `wiped, ${said}` })
    return points
  }

  test('goes on when its tab closes at any step', async () => {
    const { tab } = await check({ ofTab: '' })
    expect(tab).toEqual(
      expect.arrayContaining(['before:keep#0', 'kept#0', 'before:tools/call#0', 'sent:tools/call#0', 'kept#4'])
    )
    await Promise.all(tab.map((ofTab) => check({ ofTab })))
  })

  test('goes on when its tab closes at any step and takes the worker along', async () => {
    const { tab } = await check({ ofTab: '' })
    await Promise.all(tab.map((ofTab) => check({ ofTab, withWorker: true })))
  })

  test('goes on when its worker dies at any step', async () => {
    const { worker } = await check({ ofWorker: '' })
    expect(worker).toEqual(expect.arrayContaining(['before:create#0', 'committed:create#0', 'committed:finish#0']))
    await Promise.all(worker.map((ofWorker) => check({ ofWorker })))
  })
})
