// Plain calls ask in rounds (MRTR); the numbers are those of the checklist in docs/wire.md.

import { describe, expect, test } from 'vitest'
import type { TaskContext } from '../../src/tasks/task-context.js'
import { accept, forms, modernTab } from '../support/modern-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const schema = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] }
const ask = async (task: TaskContext, key: string): Promise<string> => {
  const { action, content } = await task.elicit({ message: `${key}?`, requestedSchema: schema }, { key })
  return action === 'accept' ? String(content?.['name']) : action
}
const both = toolOf('both', async (_, task) =>
  text((await Promise.all([ask(task, 'one'), ask(task, 'two')])).join(' '))
)
const steps = toolOf('steps', async (_, task) => text(`${await ask(task, 'first')} ${await ask(task, 'second')}`), {
  onInterrupt: 'resume'
})

const open = async () => {
  const world = new World({ tools: [both, steps] })
  return { world, tab: await modernTab(world, { can: forms, tasks: false }) }
}

describe('a plain call that asks', () => {
  test('18 carries all that is open, by keys that differ, and a state', async () => {
    const { tab } = await open()
    const asked = await tab.round('both')
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
    expect(Object.keys(asked.inputRequests).sort()).toEqual(['one', 'two'])
    expect(asked.inputRequests['one']).toEqual({
      method: 'elicitation/create',
      params: { mode: 'form', message: 'one?', requestedSchema: schema }
    })
    expect(asked).not.toHaveProperty('taskId')
    expect(asked).not.toHaveProperty('ttlMs')
  })

  test('18 is answered by the same call with its state', async () => {
    const { tab } = await open()
    const asked = await tab.round('both')
    const answers = { one: accept({ name: 'Ann' }), two: { action: 'decline' } }
    expect(await tab.round('both', {}, asked, answers)).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'Ann decline' }]
    })
  })

  test('18 has another state in each round', async () => {
    const { tab } = await open()
    const first = await tab.round('steps')
    const second = await tab.round('steps', {}, first, { first: accept({ name: 'A' }) })
    expect(Object.keys(second.inputRequests)).toEqual(['second'])
    expect(second.requestState).not.toBe(first.requestState)
    expect(await tab.round('steps', {}, second, { second: accept({ name: 'B' }) })).toMatchObject({
      content: [{ text: 'A B' }]
    })
  })

  test('18 asks only what this request declared: a retry that declares less is not asked again', async () => {
    const { tab } = await open()
    const asked = await tab.round('both')
    const less = { tasks: false, can: {} }
    const params = { name: 'both', arguments: {}, requestState: asked.requestState }
    const waiting = tab.ask('tools/call', params, less)
    await tab.round('both', {}, asked, { one: accept({ name: 'A' }), two: accept({ name: 'B' }) })
    expect(await waiting.response).toMatchObject({ result: { resultType: 'complete', content: [{ text: 'A B' }] } })
  })

  test.each(['-TAMPERED', '0'.repeat(12), ''])('19 refuses a state that is not its own: …%s', async (more) => {
    const { tab } = await open()
    const { requestState } = await tab.round('both')
    const params = { name: 'both', arguments: {} }
    const forged = more === '' ? crypto.randomUUID() + requestState.slice(36) : requestState + more
    expect(await tab.fail('tools/call', { ...params, requestState: forged })).toMatchObject({ code: -32602 })
  })

  test('19 refuses its state with another tool, other arguments, or of another owner', async () => {
    const world = new World({ tools: [both, steps], owner: ({ data }) => JSON.stringify(data) })
    const ann = await modernTab(world, { can: forms, tasks: false }, 'ann')
    const { requestState } = await ann.round('both', { a: 1, b: [{ c: 2 }] })
    const foreign = await modernTab(world, { can: forms, tasks: false }, 'bob')
    const call = (name: string, args: object) => ({ name, arguments: args, requestState })
    for (const params of [call('steps', { a: 1, b: [{ c: 2 }] }), call('both', { a: 1, b: [{ c: 3 }] })]) {
      expect(await ann.fail('tools/call', params)).toMatchObject({ code: -32602 })
    }
    expect(await foreign.fail('tools/call', call('both', { a: 1, b: [{ c: 2 }] }))).toMatchObject({ code: -32602 })
    expect(await ann.ok('tools/call', call('both', { b: [{ c: 2 }], a: 1 }))).toMatchObject({
      resultType: 'input_required'
    })
  })

  test('20 asks again for what is missing, and ignores what it never asked', async () => {
    const { tab } = await open()
    const asked = await tab.round('both')
    const again = await tab.round('both', {}, asked, { two: accept({ name: 'B' }), three: accept({}) })
    expect(Object.keys(again.inputRequests)).toEqual(['one'])
    const late = { one: accept({ name: 'A' }), two: accept({ name: 'C' }) }
    expect(await tab.round('both', {}, again, late)).toMatchObject({ content: [{ text: 'A B' }] })
  })

  test('20 takes answers that come with the first call', async () => {
    const { tab } = await open()
    const answers = { one: accept({ name: 'A' }), two: accept({ name: 'B' }) }
    expect(await tab.round('both', {}, undefined, answers)).toMatchObject({ content: [{ text: 'A B' }] })
  })

  test.each([
    ['null', null],
    ['an array', []],
    ['a number by key', { one: 1 }]
  ])('20 refuses inputResponses that are %s', async (_, inputResponses) => {
    const { tab } = await open()
    expect(await tab.fail('tools/call', { name: 'both', arguments: {}, inputResponses })).toMatchObject({
      code: -32602
    })
  })

  test('21 keeps an answer that fits its schema, and asks again, with the reason, for one that does not', async () => {
    const { tab } = await open()
    const asked = await tab.round('both')
    const again = await tab.round('both', {}, asked, { one: accept({ name: 'A' }), two: accept({ name: 7 }) })
    expect(Object.keys(again.inputRequests)).toEqual(['two'])
    expect(again.inputRequests['two']?.params).toMatchObject({
      message: 'two? (Your answer was not taken: name must be of type string)',
      _meta: { 'intab/refused': { reason: 'name must be of type string', message: 'two?', count: 1 } }
    })
    expect(await tab.round('both', {}, again, { two: accept({ name: 'B' }) })).toMatchObject({
      content: [{ text: 'A B' }]
    })
  })

  test('21 tells the tool after five answers that do not fit', async () => {
    const { tab } = await open()
    let asked = await tab.round('both')
    asked = await tab.round('both', {}, asked, { one: accept({ name: 'A' }) })
    for (let count = 1; count <= 5; count += 1) asked = await tab.round('both', {}, asked, { two: accept({}) })
    const { requestState } = asked
    const last = { name: 'both', arguments: {}, requestState, inputResponses: { two: accept({}) } }
    expect(await tab.fail('tools/call', last)).toMatchObject({
      code: -32602,
      message: expect.stringContaining('name is required (refused 5 times before)')
    })
  })

  test('17 cancels its task when the client cancels it, and is answered no more', async () => {
    const begun = gate()
    const aborted = gate()
    const slow = toolOf('slow', (_, task) => {
      begun.open()
      task.signal.addEventListener('abort', () => aborted.open())
      return new Promise(() => undefined)
    })
    const world = new World({ tools: [slow] })
    const tab = await modernTab(world, { tasks: false })
    const { id } = tab.ask('tools/call', { name: 'slow', arguments: {} })
    await begun.opened
    await tab.raw.notify('notifications/cancelled', { requestId: id })
    await aborted.opened
    await expect
      .poll(() =>
        world
          .living()
          .eventsOf('finished')
          .map(({ task }) => task.status)
      )
      .toEqual(['cancelled'])
    await tab.ok('tools/list')
    expect(tab.raw.log.filter((message) => 'id' in message && message.id === id)).toEqual([])
  })

  test('16 tells rising progress of its own token while it is open', async () => {
    const told = gate()
    const counts = toolOf('counts', async (_, task) => {
      task.progress({ progress: 1, total: 2 })
      await told.opened
      return text('done')
    })
    const tab = await modernTab(new World({ tools: [counts] }), { tasks: false })
    const { response } = tab.ask('tools/call', { name: 'counts', arguments: {} }, { meta: { progressToken: 'p' } })
    expect((await tab.raw.next('notifications/progress')).params).toMatchObject({ progressToken: 'p', progress: 1 })
    told.open()
    await response
    const { length } = tab.raw.log
    await tab.ok('tools/list')
    expect(tab.raw.log.slice(length).filter((message) => 'method' in message)).toEqual([])
  })

  test('20 survives its worker: the retry finds the task, which runs on from its last answer', async () => {
    const { world, tab } = await open()
    const first = await tab.round('steps')
    world.living().kill()
    const second = await tab.round('steps', {}, first, { first: accept({ name: 'A' }) })
    expect(Object.keys(second.inputRequests)).toEqual(['second'])
    expect(await tab.round('steps', {}, second, { second: accept({ name: 'B' }) })).toMatchObject({
      content: [{ text: 'A B' }]
    })
  })

  test('20 survives a worker that dies while the call waits', async () => {
    const { world, tab } = await open()
    const first = await tab.round('steps')
    const { requestState } = first
    let died = false
    world.onpoint((worker, point) => {
      if (died || point !== 'committed:answer') return
      died = true
      worker.kill()
    })
    const inputResponses = { first: accept({ name: 'A' }) }
    const { response } = tab.ask('tools/call', { name: 'steps', arguments: {}, requestState, inputResponses })
    expect(Object.keys(((await response).result as typeof first).inputRequests)).toEqual(['second'])
    expect(died).toBe(true)
  })
})
