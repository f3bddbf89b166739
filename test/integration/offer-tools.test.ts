// offerTools against a ModelContext that refuses and reports as Chromium's does; test/e2e/webmcp.spec.ts has the real one.

import { Client as ClientOfV2 } from '@modelcontextprotocol/client'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { MODERN } from '../../src/modern/keys.js'
import { offerTools, type OfferToolsOptions } from '../../src/webmcp.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

interface Tool {
  name: string
  description: string
  execute(input: object): Promise<unknown>
}

class ModelContext {
  readonly tools = new Map<string, Tool>()

  async registerTool(tool: Tool, { signal }: { signal: AbortSignal }): Promise<void> {
    signal.throwIfAborted()
    if (this.tools.has(tool.name)) throw new DOMException('Duplicate tool name', 'InvalidStateError')
    if (tool.description === '') throw new DOMException('Description is required', 'InvalidStateError')
    this.tools.set(tool.name, tool)
    signal.addEventListener('abort', () => this.tools.delete(tool.name))
  }
}

let context: ModelContext
afterEach(() => void vi.unstubAllGlobals())

/** A connected client, in a page of a browser that has WebMCP. */
async function connect(world: World): Promise<Client> {
  const { client } = await world.tab()
  context = new ModelContext()
  // Only now: a worker of this world takes itself for a page where there is a document.
  vi.stubGlobal('document', { modelContext: context })
  return client
}

const quick = toolOf('quick', () => text('done'))
const names = () => [...context.tools.keys()].sort()

/** A server whose plain tools change: each call of `change` toggles `extra`. */
function changing() {
  let change = (): void => undefined
  const world = new World({
    tools: [quick],
    setup(server) {
      const extra = server.registerTool('extra', { description: 'one' }, () => text('extra'))
      let turn = 0
      const steps = [() => extra.disable(), () => extra.enable(), () => extra.update({ description: 'two' })]
      change = () => steps[turn++]?.()
    }
  })
  return { world, change: () => change() }
}

describe('offerTools', () => {
  test('offers the tools that are named and no other', async () => {
    const { world } = changing()
    const client = await connect(world)
    const offered = await offerTools(client, { tools: ['quick', 'unheard_of'] })
    expect(offered).toMatchObject({ supported: true, names: ['quick'] })
    expect(names()).toEqual(['quick'])
    expect(await context.tools.get('quick')?.execute({})).toMatchObject(text('done'))
  })

  test('follows the list of tools: some go, come back, and change', async () => {
    const { world, change } = changing()
    const client = await connect(world)
    const offered = await offerTools(client, { tools: () => true })
    const first = context.tools.get('quick')
    expect(names()).toEqual(['extra', 'quick'])
    change()
    await vi.waitFor(() => expect(names()).toEqual(['quick']))
    change()
    await vi.waitFor(() => expect(offered.names.sort()).toEqual(['extra', 'quick']))
    change()
    await vi.waitFor(() => expect(context.tools.get('extra')?.description).toBe('two'))
    expect(context.tools.get('quick')).toBe(first)
  })

  test('follows the list of tools for SDK v2’s Client on 2026-07-28, also after it connects again', async () => {
    const { world, change } = changing()
    await connect(world)
    const client = new ClientOfV2({ name: 'v2', version: '1.0.0' }, { versionNegotiation: { mode: { pin: MODERN } } })
    onTestFinished(() => client.close())
    vi.unstubAllGlobals()
    await client.connect(world.transport().transport)
    vi.stubGlobal('document', { modelContext: context })
    const offered = await offerTools(client, { tools: () => true })
    expect(names()).toEqual(['extra', 'quick'])
    expect(await context.tools.get('quick')?.execute({})).toMatchObject(text('done'))
    change()
    await vi.waitFor(() => expect(names()).toEqual(['quick']))
    await client.close()
    await client.connect(world.transport().transport)
    // Each connection has a server of its own: this one begins with both tools.
    change()
    change()
    await vi.waitFor(() => expect(offered.names.sort()).toEqual(['extra', 'quick']))
  })

  test('withdraws its tools when the signal aborts, and follows the list no longer', async () => {
    const { world, change } = changing()
    const client = await connect(world)
    const controller = new AbortController()
    await offerTools(client, { tools: () => true, signal: controller.signal })
    controller.abort()
    expect(names()).toEqual([])
    const asked = vi.spyOn(client, 'request')
    change()
    await client.ping()
    expect(asked.mock.calls.filter(([{ method }]) => method === 'tools/list')).toEqual([])
    await expect(offerTools(client, { tools: [], signal: controller.signal })).rejects.toBe(controller.signal.reason)
  })

  test('reports a tool that the browser refuses, and offers the others', async () => {
    const { world } = changing()
    const client = await connect(world)
    const errors: string[] = []
    client.onerror = (error) => void errors.push(error.message)
    await context.registerTool(
      { name: 'extra', description: 'of the page', execute: async () => 0 },
      new AbortController()
    )
    const offered = await offerTools(client, { tools: () => true })
    expect(offered.names).toEqual(['quick'])
    expect(errors).toEqual(['The browser refused to register the tool extra: Duplicate tool name'])
    offered.stop()
    expect(names()).toEqual(['extra'])
  })

  test('rejects without a choice of tools, and offers nothing without WebMCP', async () => {
    const client = await connect(new World({ tools: [quick] }))
    await expect(offerTools(client, {} as OfferToolsOptions)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining('got undefined')
    })
    vi.stubGlobal('document', {})
    expect(await offerTools(client, { tools: ['quick'] })).toMatchObject({ supported: false, names: [] })
  })

  test('rejects with the server’s error when the tools cannot be listed, and holds nothing', async () => {
    const client = await connect(new World({ tools: [quick] }))
    await client.close()
    await expect(offerTools(client, { tools: ['quick'] })).rejects.toThrow('Not connected')
    expect(names()).toEqual([])
  })
})
