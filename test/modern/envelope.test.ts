// Envelope and dispatch; the numbers are those of the checklist in docs/wire.md.

import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { META, MODERN, TASKS } from '../../src/modern/keys.js'
import { envelope, forms, modernTab } from '../support/modern-tab.js'
import { rawTab } from '../support/raw-tab.js'
import { confirmDelete, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'
import { RpcError } from '../../src/errors.js'

const echo = toolOf('echo', ({ say }) => text(String(say)))
const open = async () => {
  const world = new World({
    title: 'A world',
    instructions: 'Be kind',
    tools: [echo, confirmDelete],
    setup(server) {
      server.registerTool('plain', {}, () => text('plain'))
      server.registerResource('r', 'test://r', {}, ({ href }) => ({ contents: [{ uri: href, text: 'r' }] }))
    }
  })
  return { world, tab: await modernTab(world) }
}

describe('the envelope', () => {
  test('1 must have a version and capabilities, and need not have the client', async () => {
    const { tab } = await open()
    const whole = envelope({ tasks: false })
    for (const key of [META.version, META.capabilities]) {
      const { [key]: _, ...part } = whole
      const error = await tab.raw.fail('tools/list', { _meta: part })
      expect(error).toMatchObject({ code: -32602 })
      expect(error.message).toContain(key)
    }
    for (const method of ['server/discover', 'subscriptions/listen', 'tasks/update']) {
      expect(await tab.raw.fail(method, {})).toMatchObject({ code: -32602 })
    }
    const { [META.client]: _, ...nameless } = whole
    expect(await tab.raw.ok('tools/list', { _meta: nameless })).toMatchObject({ resultType: 'complete' })
  })

  test('2 of another version is refused with those that are served', async () => {
    const { tab } = await open()
    for (const requested of ['2099-01-01', '2025-11-25']) {
      const error = await tab.fail('tools/list', {}, { meta: { [META.version]: requested } })
      expect(error).toMatchObject({ code: -32022, data: { requested } })
      expect(error.data?.['supported']).toEqual(expect.arrayContaining([MODERN, '2025-11-25']))
    }
  })

  test('3 server/discover tells versions, capabilities and who answers', async () => {
    const { tab } = await open()
    const found = await tab.ok('server/discover')
    expect(found).toMatchObject({
      resultType: 'complete',
      supportedVersions: expect.arrayContaining([MODERN]),
      capabilities: { tools: {}, resources: {}, extensions: { [TASKS]: {} } },
      instructions: 'Be kind',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [META.server]: { name: 'world', version: '1.0.0', title: 'A world' } }
    })
    expect(found['capabilities']).not.toHaveProperty('tasks')
  })

  test('3 every result says who answers', async () => {
    const { tab } = await open()
    const { taskId } = await tab.call('echo', { say: 'hi' })
    await tab.until(taskId, 'completed')
    const results = [
      await tab.ok('tools/list'),
      await tab.call('plain'),
      await tab.get(taskId),
      await tab.ok('tasks/cancel', { taskId })
    ]
    for (const { _meta } of results) expect(_meta[META.server]).toMatchObject({ name: 'world' })
  })

  test('4 nothing is inferred from an earlier request: neither the extension nor what the client can answer', async () => {
    const { tab } = await open()
    const { taskId } = await tab.call('confirm_delete', { filename: 'a' })
    expect(await tab.fail('tasks/get', { taskId }, { tasks: false })).toMatchObject({ code: -32021 })
    const asked = await tab.call('confirm_delete', { filename: 'b' }, { can: {} })
    const failed = await tab.until(asked.taskId, 'failed')
    expect(failed.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } })
  })

  test('4 an initialized client of 2025-11-25 lends its capabilities to no modern request on the same connection', async () => {
    const { world } = await open()
    const both = await rawTab(world, { capabilities: { elicitation: {} } })
    const params = { name: 'confirm_delete', arguments: { filename: 'c' }, _meta: envelope({ can: {} }) }
    const { taskId } = await both.ok('tools/call', params)
    const got = async () => (await both.ok('tasks/get', { taskId, _meta: envelope() }))['status']
    await expect.poll(got).toBe('failed')
    expect(await both.create('confirm_delete', { filename: 'd' })).toMatchObject({ status: 'working' })
  })

  test('5 every result has a resultType, also what a tool of the SDK answers', async () => {
    const { tab } = await open()
    expect(await tab.call('plain')).toMatchObject({ resultType: 'complete', content: [{ text: 'plain' }] })
    expect(await tab.ok('tools/call', { name: 'echo', arguments: { say: 'x' } }, { tasks: false })).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'x' }]
    })
  })

  test('6 a capability that this request lacks is -32021 with what is required', async () => {
    const { tab } = await open()
    const plain = { tasks: false, can: forms }
    expect(await tab.fail('tools/call', { name: 'confirm_delete', arguments: { filename: 'x' } }, plain)).toMatchObject(
      {
        code: -32021,
        data: { requiredCapabilities: { extensions: { [TASKS]: {} } } }
      }
    )
  })

  test('7 codes that the revision reserves are only sent as it defines them', async () => {
    const codes = [-32002, -32042, -32050, -32021]
    const thrower = toolOf('throws', ({ code }) => {
      throw new RpcError(Number(code), 'no')
    })
    const tab = await modernTab(new World({ tools: [thrower] }))
    const seen = []
    for (const code of codes) {
      const { taskId } = await tab.call('throws', { code })
      seen.push((await tab.until(taskId, 'failed')).error.code)
    }
    expect(seen).toEqual([-32602, -32603, -32603, -32021])
  })

  const removed = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/result', 'tasks/list']
  test.each([...removed, 'no/such', 'constructor', '__proto__', ''])('8 %s is not found', async (method) => {
    const { tab } = await open()
    expect(await tab.fail(method, { taskId: 'x' })).toMatchObject({ code: -32601 })
  })

  test('9 the client gets no request, and no cancellation of a question', async () => {
    const { world, tab } = await open()
    const { taskId } = await tab.call('confirm_delete', { filename: 'a' })
    await tab.until(taskId, 'input_required')
    const other = await modernTab(world)
    await other.update(taskId, { 'elicit#1': { action: 'decline' } })
    await tab.until(taskId, 'completed')
    expect(tab.raw.log.filter((message) => 'method' in message && 'id' in message)).toEqual([])
    expect(tab.raw.heard('notifications/cancelled')).toEqual([])
  })

  test('9 a handler of the SDK that asks its client is refused, and says so', async () => {
    const world = new World({
      setup(server) {
        server.registerTool('asks', {}, async (extra) => {
          await extra.sendRequest({ method: 'roots/list' }, z.looseObject({}))
          return text('asked')
        })
      }
    })
    const tab = await modernTab(world, { can: { roots: {} }, tasks: false })
    expect(await tab.call('asks')).toMatchObject({ isError: true })
    expect(tab.raw.heard('roots/list')).toEqual([])
  })

  test('11 a client without the extension gets the outcome', async () => {
    const { tab } = await open()
    const done = await tab.round('echo', { say: 'plainly' })
    expect(done).toMatchObject({ resultType: 'complete', content: [{ text: 'plainly' }] })
    expect(done).not.toHaveProperty('taskId')
  })
})
