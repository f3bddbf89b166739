// Calls of agentTools with a key: made again by any tab, they find the task that was made.

import { Client as Client2 } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { agentTools, type ConnectedClient, deleteTask, listTasks, type TaskInfo } from '../../src/index.js'
import { lendTools } from '../../src/lend.js'
import { MODERN } from '../../src/modern/keys.js'
import type { McpServerSetup } from '../../src/session/options.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const plain: McpServerSetup = (server) => void server.registerTool('plain', {}, () => text('plain'))
const unanswered = () => new Promise<never>(() => undefined)

describe('a call of agentTools with a key', () => {
  test('finds the task of a key: in another tab, whether it ended or not, and runs it once', async () => {
    const open = gate()
    let ran = 0
    const waits = toolOf('waits', () => open.opened.then(() => text(`run ${(ran += 1)}`)))
    const world = new World({ tools: [waits] })
    const first = await world.tab()
    const call = (client: ConnectedClient, key: string, n = 1) => agentTools(client).call('waits', { n }, { key })
    const states: TaskInfo[] = []
    agentTools(first.client)
      .call('waits', { n: 1 }, { key: 'k', onstatus: (task) => void states.push(task) })
      .catch(() => undefined)
    await vi.waitFor(() => expect(states).toHaveLength(1))
    await first.close()
    const { client } = await world.tab()
    const again = call(client, 'k')
    open.open()
    expect(await again).toMatchObject(text('run 1'))
    expect(await call(client, 'k')).toMatchObject(text('run 1'))
    expect(await call(client, 'other')).toMatchObject(text('run 2'))
    await expect(call(client, 'k', 2)).rejects.toMatchObject({ code: -32602, data: { code: 'key_conflict' } })
    await deleteTask(client, String(states[0]?.taskId))
    await expect(call(client, 'k')).rejects.toMatchObject({ code: -31030, data: { code: 'may_have_run' } })
    expect(ran).toBe(2)
  })

  test('does not run a plain tool again that may have run', async () => {
    const { client } = await new World({ setup: plain }).tab()
    const call = (retry: boolean) => agentTools(client).call('plain', {}, { key: 'k', retry })
    expect(await call(false)).toMatchObject(text('plain'))
    await expect(call(true)).rejects.toMatchObject({ code: -31030, data: { code: 'may_have_run' } })
  })

  test('refuses a key that is no string, and a retry without one', async () => {
    const { client } = await new World({ tools: [toolOf('quick', () => text('done'))] }).tab()
    for (const options of [{ key: 1 as unknown as string }, { retry: true }]) {
      await expect(agentTools(client).call('quick', {}, options)).rejects.toMatchObject({ code: 'invalid_options' })
    }
    expect((await listTasks(client)).tasks).toEqual([])
  })

  test('finds the task of a tool that the worker no longer has', async () => {
    const world = new World({ tools: [toolOf('leaves', () => text('while it was there'))] })
    const { client, transport } = await world.tab()
    await agentTools(client).call('leaves', {}, { key: 'k' })
    world.living().kill()
    world.worker({ tools: [] })
    await vi.waitFor(() => expect(transport.state).toBe('connected'))
    const tools = agentTools(client)
    expect(await tools.call('leaves', {}, { key: 'k', retry: true })).toMatchObject(text('while it was there'))
    await expect(tools.call('leaves', {}, { key: 'new', retry: true })).rejects.toMatchObject({ code: -32602 })
  })

  test.each(['2025-11-25', MODERN])('waits in %s for the tab that lends the tool of a retry', async (version) => {
    const world = new World()
    const [lends, calls] = [await world.tab(), await world.tab()]
    let client: ConnectedClient = calls.client
    if (version === MODERN) {
      const modern = new Client2({ name: 'v2', version: '1.0.0' }, { versionNegotiation: { mode: { pin: MODERN } } })
      onTestFinished(() => modern.close())
      await modern.connect(world.transport().transport)
      client = modern
    }
    const begun = gate()
    await lendTools(lends.client, [{ name: 'title', run: () => (begun.open(), unanswered()) }])
    const first = agentTools(client).call('title', {}, { key: 'k' })
    first.catch(() => undefined)
    await begun.opened
    await lends.close()
    await vi.waitFor(async () => expect(await agentTools(client).list()).toEqual([]))
    // Its tab closed while it ran: the task has ended, and is found though nobody lends the tool.
    const ended = agentTools(client).call('title', {}, { key: 'k', retry: true })
    await expect(ended).rejects.toThrow('closed while it ran the tool title')
    const made = agentTools(client).call('title', {}, { key: 'new', retry: true })
    await lendTools((await world.tab()).client, [{ name: 'title', run: () => text('back') }])
    expect(await made).toMatchObject(text('back'))
  })
})
