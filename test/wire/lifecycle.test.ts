import { describe, expect, test } from 'vitest'
import { forms, rawTab, type RawTab, type Wire } from '../support/raw-tab.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
const decline = { result: { action: 'decline' } }

/** Statuses in the order in which the client was told of them. */
const statuses = (raw: RawTab): unknown[] => {
  const told = raw.heard('notifications/tasks/status').map(({ params }) => params.status)
  return told.filter((status, i) => status !== told[i - 1])
}

describe('the status of a task', () => {
  test('SP-019 SP-026 CX-03 goes from working to completed', async () => {
    const raw = await rawTab(new World({ tools: [toolOf('quick', () => text('done'))] }))
    const { taskId } = await raw.create('quick')
    expect(await raw.result(taskId)).toMatchObject(text('done'))
    expect(await raw.get(taskId)).toMatchObject({ status: 'completed' })
    expect(await raw.fail('tasks/cancel', { taskId })).toMatchObject({ code: -32602 })
    expect(statuses(raw)).toEqual(['working', 'completed'])
  })

  test('SP-020 SP-027 goes from working to failed', async () => {
    const tool = toolOf('broken', () => Promise.reject(new Error('no')))
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('broken')
    await raw.result(taskId)
    expect(await raw.get(taskId)).toMatchObject({ status: 'failed', statusMessage: 'no' })
    expect(await raw.fail('tasks/cancel', { taskId })).toMatchObject({ code: -32602 })
    expect(statuses(raw)).toEqual(['working', 'failed'])
  })

  test('SP-022 SP-023 SC-12 EL-03 E6 goes to input_required while a question is open, and back', async () => {
    const [answered, end] = [gate<unknown>(), gate()]
    const tool = toolOf('ask', async (_, task) => {
      answered.open(await task.elicit(form))
      await end.opened
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }), { capabilities: forms })
    const { taskId } = await raw.create('ask')
    const result = raw.result(taskId)
    const question = await raw.next('elicitation/create')
    expect((await raw.get(taskId)).status).toBe('input_required')
    await raw.answer(question, { result: { action: 'accept', content: {} } })
    expect(await answered.opened).toEqual({ action: 'accept', content: {} })
    expect((await raw.get(taskId)).status).toBe('working')
    end.open()
    expect(await result).toMatchObject(text('done'))
    expect(statuses(raw)).toEqual(['working', 'input_required', 'working', 'completed'])
    expect(raw.heard('elicitation/create')).toHaveLength(1)
  })

  test('SP-024 goes from input_required to an end of any kind', async () => {
    const shown: Record<string, ReturnType<typeof gate<void>>> = { throw: gate(), return: gate(), wait: gate() }
    const tool = toolOf('impatient', async ({ how }, task) => {
      const question = task.elicit(form)
      question.catch(() => undefined)
      await shown[String(how)]?.opened
      if (how === 'throw') throw new Error('enough')
      if (how === 'return') return text('enough')
      return new Promise(() => undefined)
    })
    const raw = await rawTab(new World({ tools: [tool] }), { capabilities: forms })
    for (const [how, status] of [
      ['throw', 'failed'],
      ['return', 'completed'],
      ['wait', 'cancelled']
    ] as const) {
      const { taskId } = await raw.create('impatient', { how })
      const result = raw.result(taskId)
      await raw.next('elicitation/create')
      expect((await raw.get(taskId)).status).toBe('input_required')
      shown[how]?.open()
      if (how === 'wait') await raw.ok('tasks/cancel', { taskId })
      await result
      expect((await raw.get(taskId)).status).toBe(status)
      await raw.next('notifications/cancelled')
    }
    expect(await raw.ok('intab/questions/list')).toEqual({ questions: [] })
  })

  test('N9 E6 stays input_required until the last of two questions is answered', async () => {
    const tool = toolOf('both', async (_, task) => {
      await Promise.all([task.elicit({ ...form, message: 'A' }), task.elicit({ ...form, message: 'B' })])
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }), { capabilities: forms })
    const { taskId } = await raw.create('both')
    const result = raw.result(taskId)
    const a = await raw.next('elicitation/create', ({ message }) => message === 'A')
    const b = await raw.next('elicitation/create', ({ message }) => message === 'B')
    await raw.answer(b, decline)
    expect((await raw.get(taskId)).status).toBe('input_required')
    await raw.answer(a, decline)
    expect(await result).toMatchObject(text('done'))
    expect(statuses(raw)).toEqual(['working', 'input_required', 'working', 'completed'])
  })

  test('N11 SC-15 SC-16 is working again after an error or a timeout in place of an answer, which reach the tool', async () => {
    const outcomes: unknown[] = []
    const [refused, timedOut] = [gate(), gate()]
    const tool = toolOf('ask', async (_, task) => {
      const note = (error: unknown): void => void outcomes.push({ ...(error as Wire), text: String(error) })
      await task.elicit(form).catch(note)
      await refused.opened
      await task.createMessage({ messages: [], maxTokens: 1 }, { timeout: 5 }).catch(note)
      await timedOut.opened
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }), { capabilities: { ...forms, sampling: {} } })
    const { taskId } = await raw.create('ask')
    const result = raw.result(taskId)
    const error = { code: -1, message: 'User rejected it', data: { why: 'no' } }
    await raw.answer(await raw.next('elicitation/create'), { error })
    await expect.poll(() => outcomes.length).toBe(1)
    expect((await raw.get(taskId)).status).toBe('working')
    refused.open()
    const late = await raw.next('sampling/createMessage')
    await expect.poll(() => outcomes.length).toBe(2)
    expect((await raw.get(taskId)).status).toBe('working')
    expect((await raw.next('notifications/cancelled')).params.requestId).toBe(late.id)
    timedOut.open()
    await result
    expect(outcomes).toMatchObject([
      { code: -1, text: expect.stringContaining('User rejected it'), data: { why: 'no' } },
      { code: -32001, text: expect.stringContaining('timed out after 5 ms') }
    ])
  })

  test('RT-11 RT-12 CX-12 N23 is that of the end which came first, with its result and message', async () => {
    const tool = toolOf(
      'expires',
      (_, task) => new Promise((resolve) => task.signal.addEventListener('abort', () => resolve(text('too late'))))
    )
    const raw = await rawTab(new World({ tools: [tool, confirmDelete] }))
    const { taskId } = await raw.create('expires')
    await raw.ok('tasks/cancel', { taskId })
    await raw.quiet()
    expect(await raw.get(taskId)).toMatchObject({ status: 'cancelled', statusMessage: 'Task was cancelled' })
    expect(await raw.result(taskId)).toMatchObject(text('Task was cancelled'))
  })

  test('4.5 #5 three questions in a row arrive in order through one tasks/result, and then the result', async () => {
    const tool = toolOf('three', async (_, task) => {
      const answers: string[] = []
      for (const message of ['name?', 'age?', 'sure?']) answers.push((await task.elicit({ ...form, message })).action)
      return text(answers.join())
    })
    const raw = await rawTab(new World({ tools: [tool] }), { capabilities: forms })
    const { taskId } = await raw.create('three')
    const result = raw.result(taskId)
    for (const message of ['name?', 'age?', 'sure?']) {
      const question = await raw.next('elicitation/create')
      expect(question.params.message).toBe(message)
      await raw.answer(question, decline)
    }
    expect(await result).toMatchObject(text('decline,decline,decline'))
    expect((await raw.get(taskId)).status).toBe('completed')
  })
})
