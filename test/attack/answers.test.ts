import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { describe, expect, test } from 'vitest'
import { forms, type Heard, rawTab, type RawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const form = (message: string) => ({
  message,
  requestedSchema: { type: 'object' as const, properties: { says: { type: 'string' as const } } }
})
const says = (what: string) => ({ result: { action: 'accept', content: { says: what } } })

/** Asks as a task. */
const ask = toolOf('ask', async (_, task) => text(String((await task.elicit(form('task'))).content?.says)))

/** Asks by a request of the session's own, which the SDK numbers from 0. */
function setup(server: McpServer): void {
  server.registerTool('own', {}, async () => text(String((await server.server.elicitInput(form('own'))).content?.says)))
}

const isOf = (message: string) => (params: Heard['params']) => params.message === message

async function askBoth(raw: RawTab) {
  const { taskId } = await raw.create('ask')
  const outcome = raw.result(taskId)
  const called = raw.ok('tools/call', { name: 'own' })
  const task = await raw.next('elicitation/create', isOf('task'))
  const own = await raw.next('elicitation/create', isOf('own'))
  return { taskId, outcome, called, task, own }
}

describe('an answer', () => {
  test('B3 D7 under an id that looks like a number reaches nobody, while requests of that number are in flight', async () => {
    const world = new World({ tools: [ask], setup })
    const worker = world.worker()
    const raw = await rawTab(world, { capabilities: forms })
    const { taskId, outcome, called, task, own } = await askBoth(raw)
    expect(own.id).toMatch(/^s:.*:0$/)
    const generation = String(own.id).slice(0, -1)
    const wrong = ['0', 0, '0x0', '0e1', '', ' 0', '-0', 1, `${generation}-0`, `${generation}1`, generation]
    for (const id of [...wrong, 's:0', 's::0', 'task:0', `task:${taskId}:0`, `task:0:${String(task.id).slice(-36)}`]) {
      await raw.answer({ ...own, id }, says('wrong'))
      await raw.answer({ ...own, id }, { error: { code: 1, message: 'wrong' } })
    }
    expect(await raw.ok('intab/questions/list')).toMatchObject({ questions: [{ requestId: task.id }] })
    await raw.answer(own, says('mine'))
    await raw.answer(task, says("the task's"))
    expect(await called).toMatchObject(text('mine'))
    expect(await outcome).toMatchObject(text("the task's"))
    expect(worker.eventsOf('error')).toEqual([])
  })

  test('B3 F21 to number 0 of one tab is nothing to number 0 of another', async () => {
    const world = new World({ tools: [ask], setup })
    const [a, b] = [await rawTab(world, { capabilities: forms }), await rawTab(world, { capabilities: forms })]
    const called = [a.ok('tools/call', { name: 'own' }), b.ok('tools/call', { name: 'own' })]
    const [first, second] = [await a.next('elicitation/create'), await b.next('elicitation/create')]
    expect(first.id).toBe(second.id)
    await b.answer(second, says('b'))
    await b.answer(first, says('b again'))
    await a.answer(first, says('a'))
    expect(await Promise.all(called)).toMatchObject([text('a'), text('b')])
  })

  test('B4 F14 to a request of a dead worker is nothing to the next, whose own has the same number', async () => {
    const world = new World({ tools: [ask], setup })
    const raw = await rawTab(world, { capabilities: forms })
    raw.ask('tools/call', { name: 'own' })
    const dead = await raw.next('elicitation/create')
    world.living().kill()
    const { params } = await raw.next('notifications/cancelled')
    expect(params.requestId).toBe(dead.id)
    const called = raw.ok('tools/call', { name: 'own' })
    const alive = await raw.next('elicitation/create')
    expect(String(alive.id).at(-1)).toBe(String(dead.id).at(-1))
    await raw.answer(dead, says('to the dead'))
    await raw.answer(alive, says('to the living'))
    expect(await called).toMatchObject(text('to the living'))
  })

  test("B4 F14 to a task's question counts, whichever worker asked it", async () => {
    const resuming = toolOf('ask', async (_, task) => text(String((await task.elicit(form('task'))).content?.says)), {
      onInterrupt: 'resume'
    })
    const world = new World({ tools: [resuming] })
    const raw = await rawTab(world, { capabilities: forms })
    const { taskId } = await raw.create('ask')
    const outcome = raw.result(taskId)
    const question = await raw.next('elicitation/create')
    world.living().kill()
    await raw.answer(question, says('after its death'))
    expect(await outcome).toMatchObject(text('after its death'))
    expect(raw.heard('elicitation/create')).toHaveLength(1)
  })
})

test('D1 the first request of a session can be withdrawn like any other', async () => {
  const giveUp = new AbortController()
  const failed = gate<unknown>()
  const world = new World({
    setup: (server) => {
      server.registerTool('own', {}, async () => {
        await server.server.elicitInput(form('own'), { signal: giveUp.signal }).catch(failed.open)
        return text('withdrawn')
      })
    }
  })
  const shown = gate<AbortSignal>()
  const { client } = await world.tab({
    onelicit: (_, __, signal) => {
      shown.open(signal)
      return new Promise(() => undefined)
    }
  })
  const called = client.callTool({ name: 'own' })
  const screen = await shown.opened
  giveUp.abort(new Error('no longer'))
  expect(await called).toMatchObject(text('withdrawn'))
  await failed.opened
  await expect.poll(() => screen.aborted).toBe(true)
})
