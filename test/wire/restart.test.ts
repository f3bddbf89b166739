import { describe, expect, test } from 'vitest'
import { forms, rawTab } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

describe('a task whose worker dies', () => {
  test('N19 ends as failed, with words that say why, before the next worker serves anybody', async () => {
    const world = new World({ tools: [toolOf('forever', () => new Promise(() => undefined))] })
    const first = world.worker()
    const raw = await rawTab(world)
    const { taskId } = await raw.create('forever')
    first.kill()
    const stopped = 'The worker that ran this task stopped before it finished'
    expect(await raw.get(taskId)).toMatchObject({ status: 'failed', statusMessage: stopped })
    expect(await raw.result(taskId)).toMatchObject({ isError: true, ...text(stopped) })
    expect(world.workers.at(-1)?.eventsOf('recovered')).toMatchObject([{ task: { taskId } }])
  })

  test('CX-10 is run again by the next one if its tool resumes: same id, second attempt', async () => {
    const runs: [string, number, unknown][] = []
    const tool = toolOf(
      'again',
      (_, { id, attempt, meta }) => {
        runs.push([id, attempt, meta])
        return attempt > 1 ? text('done') : new Promise(() => undefined)
      },
      { onInterrupt: 'resume' }
    )
    const world = new World({ tools: [tool] })
    const first = world.worker()
    const raw = await rawTab(world)
    const { taskId } = await raw.create('again', {}, {}, { 'example.com/a': 1 })
    await expect.poll(() => runs.length).toBe(1)
    first.kill()
    expect(await raw.result(taskId)).toMatchObject(text('done'))
    const meta = { 'example.com/a': 1 }
    expect(runs).toEqual([
      [taskId, 1, meta],
      [taskId, 2, meta]
    ])
    expect((await raw.get(taskId))._meta).toMatchObject({ 'intab/attempt': 2 })
  })

  test('is followed on: who waits in tasks/result is answered by the next worker', async () => {
    const world = new World({ tools: [toolOf('forever', () => new Promise(() => undefined))] })
    const first = world.worker()
    const raw = await rawTab(world)
    const { taskId } = await raw.create('forever')
    const result = raw.result(taskId)
    await raw.quiet()
    first.kill()
    expect(await result).toMatchObject({ isError: true })
  })
})

describe('a tab that goes', () => {
  test('N4 after it was asked leaves the question to the next that waits, and N12 other tabs in peace', async () => {
    const end = gate()
    const slow = toolOf('slow', async () => {
      await end.opened
      return text('done')
    })
    const world = new World({ tools: [confirmDelete, slow] })
    const worker = world.worker()
    const [raw, other] = [await rawTab(world, { capabilities: forms }), await rawTab(world, { capabilities: forms })]
    const { taskId } = await raw.create('confirm_delete', { filename: 'a' })
    const running = await other.create('slow')
    raw.ask('tasks/result', { taskId }).response.catch(() => undefined)
    const shown = await raw.next('elicitation/create')
    raw.crash()
    const result = other.result(taskId)
    const question = await other.next('elicitation/create')
    expect(question.id).toBe(shown.id)
    await other.answer(question, { result: { action: 'accept', content: { confirm: true } } })
    expect(await result).toMatchObject(text('Deleted a'))
    end.open()
    expect(await other.result(running.taskId)).toMatchObject(text('done'))
    expect(worker.eventsOf('error')).toEqual([])
  })

  test('N13 A4 F27 loses neither the work nor its result', async () => {
    const end = gate()
    const slow = toolOf('slow', async (_, task) => {
      await end.opened
      await task.status('Nobody is here')
      return text('done')
    })
    const world = new World({ tools: [slow] })
    const worker = world.worker()
    const raw = await rawTab(world)
    const { taskId } = await raw.create('slow')
    await raw.close()
    await expect.poll(() => worker.eventsOf('closed').length).toBe(1)
    end.open()
    const later = await rawTab(world)
    expect(await later.result(taskId)).toMatchObject(text('done'))
    expect(worker.eventsOf('error')).toEqual([])
  })
})

test('RT-04 servers with databases of their own do not meet, those with one share their tasks', async () => {
  const tools = [toolOf('quick', () => text('done'))]
  const [one, two] = [new World({ tools }), new World({ tools })]
  const [a, b] = [await rawTab(one), await rawTab(two)]
  one.worker()
  const c = await rawTab(one)
  const { taskId } = await a.create('quick')
  expect(await c.result(taskId)).toMatchObject(text('done'))
  expect(await b.fail('tasks/get', { taskId })).toMatchObject({ code: -32602 })
})
