// Tools that a tab lends are a matter of the browser: a server says so at once, and nobody waits for a tab.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { Client as Client2 } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { agentTools, type ConnectedClient } from '../../src/index.js'
import { lendTools } from '../../src/lend.js'
import { MODERN } from '../../src/modern/keys.js'
import { patience, twoProcesses } from './world.js'

const { one } = twoProcesses()

const clients = {
  async '2025-11-25'() {
    const client = new Client({ name: 'page', version: '1.0.0' })
    onTestFinished(() => client.close())
    await client.connect(one().transport('2025-11-25') as Transport)
    return client
  },
  async [MODERN]() {
    const client = new Client2({ name: 'page', version: '1.0.0' }, { versionNegotiation: { mode: { pin: MODERN } } })
    onTestFinished(() => client.close())
    await client.connect(one().transport(MODERN) as never)
    return client
  }
} satisfies Record<string, () => Promise<ConnectedClient>>

test('a server takes no tools of a tab', { timeout: patience }, async () => {
  const run = () => ({ content: [] })
  await expect(lendTools(await clients['2025-11-25'](), [{ name: 'where', run }])).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('takes no tools of a tab')
  })
})

test.each(['2025-11-25', MODERN] as const)(
  'a handler that calls a tab is told that none can lend anything, in %s',
  { timeout: patience },
  async (version) => {
    const result = await agentTools(await clients[version]()).call('in_tab')
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result.content)).toContain('No tab can lend where: this task runs on a server')
  }
)

test.each(['2025-11-25', MODERN] as const)(
  'a call of agentTools finds its task by its key, from any connection, in %s',
  { timeout: patience },
  async (version) => {
    const key = crypto.randomUUID()
    const call = async (retry: boolean): Promise<string> => {
      let taskId = ''
      const onstatus = (task: { taskId: string }): void => void (taskId = task.taskId)
      await agentTools(await clients[version]()).call('quick', { name: 'once' }, { key, retry, onstatus })
      return taskId
    }
    const first = await call(false)
    expect(first).not.toBe('')
    expect(await call(true)).toBe(first)
  }
)
