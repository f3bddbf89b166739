// Messages of a task on their way to whoever waits, while that one goes away, or the task ends.

import { describe, expect, test } from 'vitest'
import { followTask, runTask } from '../../src/index.js'
import { forms, type Heard, type RawTab, rawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const form = (message: string) => ({ message, requestedSchema: { type: 'object' as const, properties: {} } })
const accept = { action: 'accept' as const, content: {} }
const five = ['1', '2', '3', '4', '5']

const survey = toolOf('survey', async (_, task) => {
  const answers = await Promise.all(five.map((key) => task.elicit(form(key), { key })))
  return text(answers.map(({ action }) => action).join(' '))
})

const say = (data: string) => ({ method: 'notifications/message', params: { level: 'info', data } })

describe('a question on its way', () => {
  const points: [id: string, when: string, point: string][] = [
    ['A2', 'when it is claimed and not yet sent', 'committed:claim'],
    ['A1', 'when the first of five is sent', 'send:elicitation/create']
  ]
  test.each(points)('%s is not lost with the tab that goes %s: the next is asked all five', async (_, __, point) => {
    const world = new World({ tools: [survey] })
    const worker = world.worker()
    const a = await world.tab({ onelicit: () => new Promise(() => undefined) })
    const { taskId } = await runTask(a.client, { name: 'survey' })
    const left = gate()
    const stop = worker.onpoint(async (at) => {
      if (at !== point) return
      stop()
      a.crash()
      left.open()
    })
    const waiting = await followTask(a.client, taskId)
    waiting.result().catch(() => undefined)
    await left.opened
    const asked: string[] = []
    const b = await world.tab({ onelicit: ({ message }) => (asked.push(message), accept) })
    expect(await (await followTask(b.client, taskId)).result()).toMatchObject(
      text('accept accept accept accept accept')
    )
    expect(asked.sort()).toEqual(five)
    expect(worker.eventsOf('error')).toEqual([])
  })

  test('is offered again when the store was busy at the end of its grace', async () => {
    const world = new World({ tools: [survey], deliveryGrace: 20 })
    let tries = 0
    world.worker().onpoint((point) => {
      if (point === 'before:take' && ++tries <= five.length) throw new Error('busy')
    })
    const raw = await rawTab(world, { capabilities: forms })
    await raw.create('survey')
    for (const message of five) await raw.next('elicitation/create', (params) => params.message === message)
    expect(tries).toBe(2 * five.length)
  })

  test('C2 is there when the client hears that input is required', async () => {
    const raw = await rawTab(new World({ tools: [survey] }), { capabilities: forms })
    const { taskId } = await raw.create('survey')
    await raw.next('notifications/tasks/status', ({ status }) => status === 'input_required')
    const result = raw.result(taskId)
    const questions = await Promise.all(five.map(() => raw.next('elicitation/create')))
    for (const question of questions) await raw.answer(question, { result: accept })
    expect(await result).toMatchObject({ content: [{ type: 'text' }] })
  })

  test('E20 that is one too many rejects, and its task does not wait for input', async () => {
    const refused = gate<unknown>()
    const go = gate()
    const chatty = toolOf('chatty', async (_, task) => {
      await task.elicit(form('first'))
      await task.elicit(form('second')).catch(refused.open)
      await go.opened
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [chatty], limits: { messages: 1 } }), { capabilities: forms })
    const { taskId } = await raw.create('chatty')
    const result = raw.result(taskId)
    await raw.answer(await raw.next('elicitation/create'), { result: accept })
    expect(await refused.opened).toMatchObject({ code: 'limit_reached' })
    expect(await raw.get(taskId)).toMatchObject({ status: 'working' })
    go.open()
    expect(await result).toMatchObject(text('done'))
  })
})

describe('a question that is settled in the transaction that claims it', () => {
  /** Two questions, and a page that claims `second` in the transaction in which somebody then does what `point` names. */
  const claimed = async (point: string, settle: (a: RawTab, taskId: string, question: Heard) => unknown) => {
    const idle = toolOf('idle', () => text('done'))
    const asking = toolOf('asking', async (_, task) => {
      await Promise.all(['first', 'second'].map((key) => task.elicit(form(key), { key })))
      return text('done')
    })
    const world = new World({ tools: [asking, idle] })
    const worker = world.worker()
    const [a, b] = [await rawTab(world, { capabilities: forms }), await rawTab(world, { capabilities: forms })]
    const { taskId } = await a.create('asking')
    const { response } = a.ask('tasks/result', { taskId })
    response.catch(() => undefined)
    await a.next('elicitation/create')
    const question = await a.next('elicitation/create', ({ message }) => message === 'second')
    await a.quiet()
    // The first of the three writes is under way alone: the two behind it share the next transaction.
    const steps = ['before:create', 'before:claim', point].map((name) => ({ name, reached: gate(), go: gate() }))
    worker.onpoint((at) => {
      const step = steps.find(({ name }) => name === at)
      step?.reached.open()
      return step?.go.opened
    })
    const [create, claim, last] = steps
    settle(a, taskId, question)
    await last?.reached.opened
    a.close().catch(() => undefined)
    b.ask('tasks/result', { taskId }).response.catch(() => undefined)
    await claim?.reached.opened
    b.create('idle').catch(() => undefined)
    await create?.reached.opened
    for (const { go } of steps) go.open()
    await b.quiet()
    return { b, question }
  }

  test.each<[string, string, Parameters<typeof claimed>[1]]>([
    ['answered', 'before:answer', (a, _, question) => a.answer(question, { result: accept }).catch(() => undefined)],
    ['withdrawn', 'before:finish', (a, taskId) => a.ask('tasks/cancel', { taskId }).response.catch(() => undefined)]
  ])('leaves the screen that shows it: %s', async (_, point, settle) => {
    const { b, question } = await claimed(point, settle)
    expect(b.heard('elicitation/create').map(({ id }) => id)).toContain(question.id)
    expect(b.heard('notifications/cancelled').map(({ params }) => params.requestId)).toContain(question.id)
  })
})

describe('what a task says last', () => {
  test('A5 comes before its result, also when it was said while the wait was sending', async () => {
    const go = gate()
    const said = gate()
    const tool = toolOf('talk', async (_, task) => {
      await task.notify(say('first'))
      await go.opened
      await task.notify(say('last'))
      said.open()
      return text('done')
    })
    const world = new World({ tools: [tool] })
    const worker = world.worker()
    const ended = new Promise<void>((resolve) => {
      worker.onpoint((point) => (point === 'committed:finish' ? resolve() : undefined))
    })
    const stop = worker.onpoint(async (point) => {
      if (point !== 'send:notifications/message') return
      stop()
      go.open()
      await ended
    })
    const raw = await rawTab(world)
    const { taskId } = await raw.create('talk')
    expect(await raw.result(taskId)).toMatchObject(text('done'))
    expect(raw.heard('notifications/message').map(({ params }) => params.data)).toEqual(['first', 'last'])
  })

  test('A5 comes before its result, however much it is', async () => {
    const many = Array.from({ length: 250 }, (_, n) => String(n))
    const tool = toolOf('talk', async (_, task) => {
      for (const data of many) await task.notify(say(data))
      return text('done')
    })
    const world = new World({ tools: [tool] })
    const raw = await rawTab(world)
    const { taskId } = await raw.create('talk')
    await raw.next('notifications/tasks/status', ({ status }) => status === 'completed')
    expect(await raw.result(taskId)).toMatchObject(text('done'))
    expect(raw.heard('notifications/message').map(({ params }) => params.data)).toEqual(many)
  })
})
