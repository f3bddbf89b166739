// The client of ext-tasks beside a Client of SDK v2. That Client refuses a task, so ext-tasks wants a way past it: a second
// connection, which needs no handshake in this revision.

import { Client } from '@modelcontextprotocol/client'
import {
  createApplicationInputHandler,
  createTaskSessionFromClient,
  resultFromTaskOutcome
} from '@modelcontextprotocol/ext-tasks/client'
import { expect, onTestFinished, test } from 'vitest'
import { MODERN } from '../../src/modern/keys.js'
import { rawDispatch } from '../support/raw-dispatch.js'
import { confirmDelete, text } from '../support/tools.js'
import { World } from '../support/world.js'

const capabilities = { elicitation: { form: {} } }
const clientInfo = { name: 'ext', version: '1.0.0' }

const unexpected = (): never => {
  throw new Error('Not asked for')
}

async function open(world: World, asked: string[]) {
  const client = new Client(clientInfo, { capabilities, versionNegotiation: { mode: { pin: MODERN } } })
  await client.connect(world.transport().transport)
  const beside = world.transport().transport
  await beside.start()
  onTestFinished(async () => {
    await beside.close()
    await client.close()
  })
  return createTaskSessionFromClient(client, {
    endpointId: 'intab',
    rawDispatch: rawDispatch(beside),
    v2RequestFraming: { protocolVersion: MODERN, clientInfo, clientCapabilities: capabilities },
    onInputRequest: createApplicationInputHandler({
      elicitation({ params }) {
        asked.push(params['message'] as string)
        return { action: 'accept', content: { confirm: true } }
      },
      sampling: unexpected,
      roots: unexpected
    })
  })
}

test('ext-tasks settles a task that asks, also when its worker dies meanwhile', async () => {
  const world = new World({
    tools: [{ ...confirmDelete, onInterrupt: 'resume', config: { ...confirmDelete.config, pollInterval: 10 } }]
  })
  const asked: string[] = []
  const session = await open(world, asked)
  const execution = await session.callTool('confirm_delete', { filename: 'ext.txt' })
  world.living().kill()
  const { outcome } = await execution.settle()
  expect(resultFromTaskOutcome(outcome)).toMatchObject(text('Deleted ext.txt'))
  expect(asked).toEqual(['Delete ext.txt?'])
  await session.close()
})
