import { describe, expect, test } from 'vitest'
import { describeTask, followTask, runTask } from '../../src/index.js'
import { confirmDelete, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const accept = { action: 'accept', content: { confirm: true } } as const

describe('describeTask', () => {
  test('tells in any tab what a task was called with, what it asked, and what was answered', async () => {
    const world = new World({ tools: [confirmDelete] })
    const asking = await world.tab({ onelicit: () => accept })
    const other = await world.tab()
    const { taskId, result } = await runTask(asking.client, {
      name: 'confirm_delete',
      arguments: { filename: 'a' }
    }).then(async (run) => ({ taskId: run.taskId, result: await run.result() }))
    expect(result.content).toEqual([{ type: 'text', text: 'Deleted a' }])

    const details = await describeTask(other.client, taskId)
    expect(details).toMatchObject({
      task: { taskId, status: 'completed', tool: 'confirm_delete' },
      arguments: { filename: 'a' },
      seq: 1
    })
    expect(details.messages).toMatchObject([
      { n: 1, method: 'elicitation/create', state: 'answered', answer: { result: accept } }
    ])
    const [question] = details.messages
    for (const at of [question?.deliveredAt, question?.closedAt]) expect(Date.parse(at ?? '')).not.toBeNaN()
    expect(question?.here).toBe(false)
    expect((await describeTask(asking.client, taskId)).messages[0]?.here).toBe(true)
    expect(details.runs).toEqual([
      {
        attempt: 1,
        executor: expect.stringContaining('executor'),
        startedAt: details.task.createdAt,
        endedAt: details.task.lastUpdatedAt
      }
    ])
  })

  test('lists notifications in order, more than one page of the store, and names no connection', async () => {
    const count = 130
    const chatty = toolOf('chatty', async (_, task) => {
      for (let i = 0; i < count; i++) await task.notify({ method: 'notifications/message', params: { data: i } })
      return text('done')
    })
    const tab = await new World({ tools: [chatty] }).tab()
    const run = await runTask(tab.client, { name: 'chatty' })
    await run.result()
    const { messages } = await describeTask(tab.client, run.taskId)
    expect(messages.map(({ params }) => params.data)).toEqual(Array.from({ length: count }, (_, i) => i))
    expect(Object.keys(messages[0] ?? {}).sort()).toEqual(['enqueuedAt', 'method', 'n', 'params'])
  })

  test('tells when steps were kept and sleeps began, and nothing of their values', async () => {
    const sleepy = toolOf('sleepy', async (_, task) => {
      await task.step('weigh', () => 'heavy')
      await task.sleep(1)
      return text('done')
    })
    const tab = await new World({ tools: [sleepy] }).tab()
    const run = await runTask(tab.client, { name: 'sleepy' })
    await run.result()
    const { steps } = await describeTask(tab.client, run.taskId)
    const iso = expect.stringMatching(/^\d{4}-/)
    expect(steps).toEqual([
      { key: 'sleep#1', at: iso, until: iso },
      { key: 'step:weigh', at: iso }
    ])
    expect(Date.parse(steps[0]?.until ?? '')).toBe(Date.parse(steps[0]?.at ?? '') + 1)
  })

  test('does not tell of a task of somebody else', async () => {
    const world = new World({ tools: [confirmDelete], owner: ({ data }) => JSON.stringify(data) })
    const [ada, bob] = [await world.tab({ data: 'ada', onelicit: () => accept }), await world.tab({ data: 'bob' })]
    const run = await runTask(ada.client, { name: 'confirm_delete', arguments: { filename: 'a' } })
    await run.result()
    await expect(describeTask(bob.client, run.taskId)).rejects.toMatchObject({ code: -32602 })
    await expect(followTask(bob.client, run.taskId)).rejects.toMatchObject({ code: -32602 })
  })
})
