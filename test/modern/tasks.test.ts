// The extension io.modelcontextprotocol/tasks; the numbers are those of the checklist in docs/wire.md.

import { describe, expect, test } from 'vitest'
import { META } from '../../src/modern/keys.js'
import { accept, forms, modernTab } from '../support/modern-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'
import { RpcError } from '../../src/errors.js'

const schema = { type: 'object' as const, properties: { n: { type: 'number' as const } }, required: ['n'] }
const echo = toolOf('echo', ({ say }) => text(String(say)))
const never = toolOf('never', () => new Promise(() => undefined))
const two = toolOf('two', async (_, task) => {
  const ask = (key: string) => task.elicit({ message: key, requestedSchema: schema }, { key })
  const answers = await Promise.all([ask('a'), ask('b')])
  return text(answers.map(({ content }) => String(content?.['n'])).join('+'))
})
const asksFirst = toolOf(
  'asks_first',
  async (_, task) => {
    const { content } = await task.elicit({ message: 'n?', requestedSchema: schema }, { key: 'n' })
    await task.status('working on it')
    return text(`n is ${String(content?.['n'])}`)
  },
  { asksFirst: true, taskSupport: 'required' }
)
const fails = toolOf('fails', ({ how }) => {
  if (how === 'result') return { ...text('bad luck'), isError: true }
  throw new RpcError(12, 'broken', { why: 'x' })
})
const tools = [echo, never, two, asksFirst, fails, confirmDelete]

const open = async (options: object = {}) => {
  const world = new World({ tools, ...options })
  return { world, tab: await modernTab(world) }
}

describe('a task', () => {
  test('23 comes only to a request that declares the extension', async () => {
    const { tab } = await open()
    expect(await tab.call('echo', { say: 'x' })).toMatchObject({ resultType: 'task' })
    expect(await tab.round('echo', { say: 'x' })).toMatchObject({ resultType: 'complete', content: [{ text: 'x' }] })
    const plain = { name: 'confirm_delete', arguments: { filename: 'f' } }
    expect(await tab.fail('tools/call', plain, { tasks: false })).toMatchObject({ code: -32021 })
  })

  test('24 25 is flat, has neither result nor questions, and is there at once', async () => {
    const { tab } = await open()
    const created = await tab.call('two')
    expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: expect.any(Number) })
    for (const key of ['task', 'result', 'error', 'inputRequests', 'requestState', 'ttl', 'pollInterval']) {
      expect(created).not.toHaveProperty(key)
    }
    expect(await tab.get(created.taskId)).toMatchObject({ resultType: 'complete', taskId: created.taskId })
  })

  test('23 is made whatever `task` asks, which no client of this revision says', async () => {
    const { tab } = await open()
    const params = { name: 'echo', arguments: { say: 'x' }, task: { ttl: 1 } }
    expect(await tab.ok('tools/call', params, { tasks: false })).toMatchObject({ resultType: 'complete' })
  })

  test('26 has five shapes', async () => {
    const { tab } = await open()
    const running = await tab.call('never')
    expect(await tab.get(running.taskId)).toMatchObject({ status: 'working', resultType: 'complete' })
    const asking = await tab.until((await tab.call('two')).taskId, 'input_required')
    expect(Object.keys(asking.inputRequests).sort()).toEqual(['a', 'b'])
    const done = await tab.until((await tab.call('echo', { say: 'x' })).taskId, 'completed')
    expect(done.result).toEqual({ resultType: 'complete', content: [{ type: 'text', text: 'x' }] })
    const failed = await tab.until((await tab.call('fails')).taskId, 'failed')
    expect(failed).toMatchObject({
      error: { code: 12, message: 'broken', data: { why: 'x' } },
      statusMessage: 'broken'
    })
    await tab.ok('tasks/cancel', { taskId: running.taskId })
    expect(await tab.until(running.taskId, 'cancelled')).not.toHaveProperty('result')
  })

  test('26 shows a poller what that one cannot answer as well', async () => {
    const { tab } = await open()
    const { taskId } = await tab.call('two')
    await tab.until(taskId, 'input_required')
    expect(Object.keys((await tab.get(taskId, { can: {} })).inputRequests).sort()).toEqual(['a', 'b'])
  })

  test('27 takes answers one by one, ignores those it does not wait for, and asks again for one that does not fit', async () => {
    const { tab } = await open()
    const { taskId } = await tab.call('two')
    await tab.until(taskId, 'input_required')
    const ack = await tab.update(taskId, { a: accept({ n: 1 }), z: accept({ n: 9 }) })
    expect(ack).toEqual({ resultType: 'complete', _meta: { [META.server]: expect.anything() } })
    expect(Object.keys((await tab.get(taskId)).inputRequests)).toEqual(['b'])
    await tab.update(taskId, { a: accept({ n: 7 }) })
    const { inputRequests: asked } = await tab.get(taskId)
    await tab.update(taskId, { b: accept({ n: 'x' }) })
    const { inputRequests: again } = await tab.get(taskId)
    expect(Object.keys(again)).toEqual(['b'])
    expect(again['b']?.params).toMatchObject({
      message: expect.stringContaining('n must be of type number'),
      _meta: {
        'intab/refused': {
          reason: 'n must be of type number',
          message: asked['b']?.params['message'],
          answer: accept({ n: 'x' }),
          count: 1
        }
      }
    })
    await tab.update(taskId, { b: accept({ n: 2 }) })
    expect((await tab.until(taskId, 'completed')).result).toMatchObject({ content: [{ text: '1+2' }] })
  })

  test('28 is cancelled by tasks/cancel, which is acknowledged for a final task as well', async () => {
    const { tab } = await open()
    const { taskId } = await tab.call('never')
    const ack = { resultType: 'complete', _meta: { [META.server]: expect.anything() } }
    expect(await tab.ok('tasks/cancel', { taskId })).toEqual(ack)
    expect(await tab.get(taskId)).toMatchObject({ status: 'cancelled' })
    expect(await tab.ok('tasks/cancel', { taskId })).toEqual(ack)
    const { taskId: done } = await tab.call('echo', { say: 'x' })
    await tab.until(done, 'completed')
    await tab.ok('tasks/cancel', { taskId: done })
    expect(await tab.get(done)).toMatchObject({ status: 'completed' })
  })

  test('28 is not cancelled by notifications/cancelled of the call that made it', async () => {
    const { tab } = await open()
    const { id, response } = tab.ask('tools/call', { name: 'never', arguments: {} })
    const { taskId } = (await response).result as { taskId: string }
    await tab.raw.notify('notifications/cancelled', { requestId: id })
    expect(await tab.get(taskId)).toMatchObject({ status: 'working' })
  })

  test('29 is unknown with -32602, and needs the extension before its id is looked at', async () => {
    const { tab } = await open()
    const inputResponses = {}
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId: 'nope', inputResponses }
      expect(await tab.fail(method, params)).toMatchObject({ code: -32602 })
      expect(await tab.fail(method, params, { tasks: false })).toMatchObject({ code: -32021 })
      expect(await tab.fail(method, { inputResponses })).toMatchObject({ code: -32602 })
    }
    const filter = { notifications: { taskIds: ['nope'] } }
    expect(await tab.fail('subscriptions/listen', filter, { tasks: false })).toMatchObject({ code: -32021 })
  })

  test('30 is completed when the tool reports an error', async () => {
    const { tab } = await open()
    const { taskId } = await tab.call('fails', { how: 'result' })
    expect(await tab.until(taskId, 'completed')).toMatchObject({ result: { isError: true } })
  })

  test('32 is a foreign one for another owner, in every method', async () => {
    const world = new World({ tools, owner: ({ data }) => JSON.stringify(data) })
    const ann = await modernTab(world, { can: forms }, 'ann')
    const { taskId } = await ann.call('never')
    const bob = await modernTab(world, { can: forms }, 'bob')
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect(await bob.fail(method, { taskId, inputResponses: {} })).toMatchObject({ code: -32602 })
    }
    const { acknowledged } = await bob.listen({ taskIds: [taskId] })
    expect(acknowledged.params['notifications']).toEqual({})
    expect(await ann.get(taskId)).toMatchObject({ status: 'working' })
  })

  test('16 25 gets no progress after its answer, though the call had a token', async () => {
    const went = gate()
    const counts = toolOf('counts', async (_, task) => {
      task.progress({ progress: 1 })
      await went.opened
      return text('done')
    })
    const tab = await modernTab(new World({ tools: [counts] }))
    const { taskId } = await tab.call('counts', {}, { meta: { progressToken: 't' } })
    await tab.listen({ taskIds: [taskId] })
    await expect.poll(async () => (await tab.get(taskId))._meta['intab/progress']).toEqual({ progress: 1 })
    went.open()
    await tab.pushed(taskId, 'completed')
    expect(tab.raw.heard('notifications/progress')).toEqual([])
  })

  test('25 of a tool that asks first comes when its first questions are answered', async () => {
    const { tab } = await open()
    const params = { name: 'asks_first', arguments: {} }
    const asked = await tab.ok('tools/call', params)
    expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { n: {} } })
    expect(asked).not.toHaveProperty('taskId')
    const { requestState } = asked
    const made = await tab.ok('tools/call', { ...params, requestState, inputResponses: { n: accept({ n: 4 }) } })
    expect(made).not.toHaveProperty('requestState')
    expect(made).toMatchObject({ resultType: 'task' })
    expect((await tab.until(made.taskId, 'completed')).result).toMatchObject({ content: [{ text: 'n is 4' }] })
  })

  test('a call that is repeated under its key finds its task', async () => {
    const { world, tab } = await open()
    const meta = { 'intab/key': 'k' }
    const first = await tab.call('never', {}, { meta })
    expect((await tab.call('never', {}, { meta })).taskId).toBe(first.taskId)
    expect(world.living().eventsOf('created')).toHaveLength(1)
  })

  test('the model is told what to do meanwhile, where the tool says so', async () => {
    const tool = toolOf('slow', () => new Promise(() => undefined), { immediateResponse: 'Wait for it' })
    const tab = await modernTab(new World({ tools: [tool] }), { can: forms })
    expect((await tab.call('slow'))._meta[META.immediate]).toBe('Wait for it')
  })
})
