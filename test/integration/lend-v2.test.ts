// lendTools with the Client of SDK v2, in each of its modes.

import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { agentTools, runTask } from '../../src/index.js'
import { lendTools } from '../../src/lend.js'
import { MODERN } from '../../src/modern/keys.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const asks = toolOf('asks', async (_, task) => text(JSON.stringify((await task.callTab('page_title')).content)), {
  onInterrupt: 'resume'
})
const tool = { name: 'page_title', annotations: { readOnlyHint: true }, run: () => text('Mine') }

const modes = [
  ['2025-11-25', {}],
  [MODERN, { versionNegotiation: { mode: { pin: MODERN } } }]
] as const

describe.each(modes)('a Client of SDK v2 that speaks %s', (version, mode: ClientOptions) => {
  async function connect(world: World): Promise<Client> {
    const client = new Client({ name: 'v2', version: '1.0.0' }, mode)
    onTestFinished(() => client.close())
    await client.connect(world.transport().transport)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    return client
  }

  test('lends tools, runs their calls, plain and from a task, and stops', async () => {
    const world = new World({ tools: [asks] })
    const [client, other] = [await connect(world), (await world.tab()).client]
    const stop = await lendTools(client, [tool])
    expect(await agentTools(other).call('page_title')).toMatchObject(text('Mine'))
    expect(await agentTools(client).call('page_title')).toMatchObject(text('Mine'))
    const run = await runTask(client, { name: 'asks' })
    expect(await run.result()).toMatchObject(text('[{"type":"text","text":"Mine"}]'))
    stop()
    await vi.waitFor(async () => expect(await agentTools(client).list()).toMatchObject([{ name: 'asks' }]))
  })

  test('lends them to the next worker as well', async () => {
    const world = new World({ tools: [asks] })
    const client = await connect(world)
    await lendTools(client, [tool])
    world.living().kill()
    const run = await runTask(client, { name: 'asks' })
    expect(await run.result()).toMatchObject(text('[{"type":"text","text":"Mine"}]'))
  })
})
