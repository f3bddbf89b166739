// What a host or an app gets wrong is named, with the cure.

import { expect, onTestFinished, test } from 'vitest'
import { runTask } from '../../../src/index.js'
import { mcpServer } from '../../../src/mcp-server.js'
import { serve } from '../../../src/worker.js'
import { LockSpace, memoryLocks } from '../../doubles/locks.js'
import { text, toolOf } from '../../support/tools.js'
import { World } from '../../support/world.js'

const quick = toolOf('confirm_delete', () => text('done'))
const given = (options: object): Promise<unknown> => new World(options).tab()

test.each([
  ['a misspelt option', { tool: [quick] }, "serve() has no option 'tool': did you mean 'tools'?"],
  ['a misspelt limit', { limits: { byte: 1 } }, "limits has no option 'byte': did you mean 'bytes'?"],
  ['a tool that taskTool did not make', { tools: [{ name: 'x' }] }, 'which taskTool() did not create'],
  ['a name that is a number', { name: 7 }, 'serve(): name must be a non-empty string (got 7)'],
  ['an empty version', { version: '' }, "serve(): version must be a non-empty string (got '')"],
  ['tools by name', { tools: { quick } }, 'serve(): tools must be an array (got an object)'],
  ['a durability of its own', { durability: 'fast' }, "durability must be 'relaxed' or 'strict' (got 'fast')"],
  ['a ttl that is a number', { ttl: 60_000 }, 'serve(): ttl must be an object (got 60000)'],
  ['a misspelt ttl', { ttl: { defualt: 1 } }, "serve(): ttl has no option 'defualt': did you mean 'default'?"],
  ['a ttl below 0', { ttl: { max: -1 } }, 'ttl: max must be a non-negative number of milliseconds, or null (got -1)'],
  ['a limit in words', { limits: { kept: '5' } }, "limits: kept must be a number of at least 1 (got '5')"],
  ['a grace in words', { deliveryGrace: '1s' }, 'deliveryGrace must be a non-negative number of milliseconds'],
  ['a database without a name', { database: '' }, "serve(): database must be a non-empty string (got '')"],
  ['icons in words', { icons: 'a.png' }, "serve(): icons must be an array (got 'a.png')"]
])('%s is invalid_options, and is told to the tab', async (_, options, message) => {
  await expect(given(options)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(message)
  })
})

test('serve() of nothing says what it needs', () => {
  // @ts-expect-error -- what a host that does not check its types may write
  expect(() => serve()).toThrow(expect.objectContaining({ code: 'invalid_options' }))
})

test('a setup that is no mcpServer() is refused with what it should be, and an mcpServer() of nothing', async () => {
  const setup = () => undefined
  const bare = { name: 'bare', version: '1', scope: new EventTarget(), locks: memoryLocks(new LockSpace()) }
  // @ts-expect-error -- what a host that does not check its types may write
  const server = serve({ ...bare, setup })
  onTestFinished(() => server.close())
  await expect(server.ready).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('wrap the function in mcpServer()')
  })
  // @ts-expect-error -- the same
  expect(() => mcpServer({})).toThrow('mcpServer() takes a function that gets the server (got an object)')
})

test('a setup that throws is setup_failed with its words, in the tab and on the worker', async () => {
  const errors: string[] = []
  const tab = given({
    setup: () => {
      throw new Error('no model today')
    },
    onevent: (event: { type: string; error?: Error; while?: string }) => {
      if (event.type === 'error') errors.push(`${event.while}: ${event.error?.message}`)
    }
  })
  await expect(tab).rejects.toMatchObject({
    code: 'setup_failed',
    message: 'setup() of the server threw: no model today'
  })
  expect(errors).toContain('setup of a session: no model today')
})

test('a misspelt tool is told with the one that is meant', async () => {
  const { client } = await new World({ tools: [quick] }).tab()
  await expect(runTask(client, { name: 'confirm_delte' })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining("Tool confirm_delte not found: did you mean 'confirm_delete'?")
  })
})

test('elicit without a schema says what it needs', async () => {
  const asks = toolOf('asks', async (_, task) => {
    await task.elicit({ message: 'Sure?' } as never)
    return text('never')
  })
  const { client } = await new World({ tools: [asks] }).tab({ onelicit: () => ({ action: 'decline' }) })
  const result = await (await runTask(client, { name: 'asks' })).result()
  expect(JSON.stringify(result)).toContain('requestedSchema')
})

test('a server in Node is told at once', () => {
  expect(() => serve({ name: 'x', version: '1' })).toThrow('serve() runs in a worker or page of a browser')
})
