// The Client of SDK v2, and the client of ext-tasks, over WorkerTransport.

import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MODERN } from '../../src/modern/keys.js'
import { confirmDelete, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const confirm = toolOf('confirm', async (_, task) => {
  const { content } = await task.elicit({
    message: 'Sure?',
    requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] }
  })
  return text(content?.['sure'] === true ? 'sure' : 'no')
})

async function connect(world: World, options: ClientOptions): Promise<Client> {
  const client = new Client(
    { name: 'v2', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, ...options }
  )
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { sure: true } }))
  onTestFinished(() => client.close())
  await client.connect(world.transport().transport)
  return client
}

const world = (): World =>
  new World({
    tools: [confirm, confirmDelete],
    instructions: 'Be kind',
    setup(server) {
      server.registerTool('plain', { description: 'Plain' }, () => text('plain'))
      server.registerResource('r', 'test://r', {}, ({ href }) => ({ contents: [{ uri: href, text: 'r' }] }))
    }
  })

describe.each([
  ['by default', {}, '2025-11-25'],
  ['in auto mode', { versionNegotiation: { mode: 'auto' } }, MODERN],
  ['pinned', { versionNegotiation: { mode: { pin: MODERN } } }, MODERN]
] as const)('a Client of SDK v2 %s', (_, options, version) => {
  test(`speaks ${version}: lists, reads, calls, and is asked`, async () => {
    const client = await connect(world(), options)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getServerVersion()).toMatchObject({ name: 'world' })
    expect(client.getInstructions()).toBe('Be kind')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['confirm', 'confirm_delete', 'plain'])
    expect(await client.readResource({ uri: 'test://r' })).toMatchObject({ contents: [{ text: 'r' }] })
    expect(await client.callTool({ name: 'plain' })).toMatchObject({ content: [{ text: 'plain' }] })
    expect(await client.callTool({ name: 'confirm' })).toMatchObject({ content: [{ text: 'sure' }] })
  })

  test('goes on when its worker dies', async () => {
    const origin = world()
    const client = await connect(origin, options)
    origin.living().kill()
    expect(await client.callTool({ name: 'confirm' })).toMatchObject({ content: [{ text: 'sure' }] })
  })
})
