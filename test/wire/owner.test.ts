import { describe, expect, test } from 'vitest'
import { deleteTask, forget, listQuestions, runTask, takeQuestion } from '../../src/index.js'
import { forms, rawTab, type RawTab } from '../support/raw-tab.js'
import { confirmDelete, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const tools = [
  confirmDelete,
  toolOf('quick', () => text('done')),
  toolOf('forever', () => new Promise(() => undefined))
]
const byData = { tools, owner: ({ data }: { data: unknown }) => String(data) }
const ids = async (raw: RawTab): Promise<string[]> =>
  ((await raw.ok('tasks/list')).tasks as { taskId: string }[]).map(({ taskId }) => taskId)

/** Two owners; the first has a task that asks. */
async function annAndBob() {
  const world = new World(byData)
  const worker = world.worker()
  const [ann, bob] = [
    await rawTab(world, { data: 'ann', capabilities: forms }),
    await rawTab(world, { data: 'bob', capabilities: forms })
  ]
  const { taskId } = await ann.create('confirm_delete', { filename: 'a' })
  return { world, worker, ann, bob, taskId }
}

describe('an owner', () => {
  test('VI-01 VI-03 TS-05 F6 F7 gets, waits for and cancels its tasks, from any of its tabs', async () => {
    const world = new World(byData)
    const [a, b] = [await rawTab(world, { data: 'ann' }), await rawTab(world, { data: 'ann' })]
    const { taskId } = await a.create('quick')
    expect(await b.result(taskId)).toMatchObject(text('done'))
    expect(await b.get(taskId)).toMatchObject({ status: 'completed' })
    const other = await a.create('forever')
    expect(await b.ok('tasks/cancel', { taskId: other.taskId })).toMatchObject({ status: 'cancelled' })
  })

  test.each([
    'tasks/get',
    'tasks/result',
    'tasks/cancel',
    'intab/tasks/delete',
    'intab/tasks/read',
    'intab/tasks/export'
  ])(
    "VI-04 VI-05 VI-06 SP-096 finds nothing of another's by %s, in the words for what does not exist",
    async (method) => {
      const { ann, bob, taskId } = await annAndBob()
      const before = await ann.get(taskId)
      expect(await bob.fail(method, { taskId })).toEqual({ code: -32602, message: `Task not found: ${taskId}` })
      expect(await ann.get(taskId)).toMatchObject({ status: before.status, createdAt: before.createdAt })
    }
  )

  test('VI-07 VI-08 TS-03 TS-07 SP-095 lists only its own, each under an id of its own', async () => {
    const { ann, bob, taskId } = await annAndBob()
    expect(await bob.ok('tasks/list')).toEqual({ tasks: [], _meta: {} })
    const own = [await bob.create('quick'), await bob.create('quick')].map((task) => task.taskId)
    expect(await ids(bob)).toEqual(own)
    expect(await ids(ann)).toEqual([taskId])
    expect(new Set([...own, taskId]).size).toBe(3)
  })

  test("VI-09 VI-14 sees no cursor and no page for more than a page of another's", async () => {
    const world = new World({ ...byData, limits: { page: 2 } })
    const [ann, bob] = [await rawTab(world, { data: 'ann' }), await rawTab(world, { data: 'bob' })]
    for (let i = 0; i < 5; i++) await ann.create('quick')
    expect(await bob.ok('tasks/list')).toEqual({ tasks: [], _meta: {} })
    const { nextCursor } = await ann.ok('tasks/list')
    expect(await bob.ok('tasks/list', { cursor: nextCursor })).toEqual({ tasks: [], _meta: {} })
  })

  test("hears nothing of another's: no status, no question, no notification, though it watches", async () => {
    const { ann, bob, taskId } = await annAndBob()
    await bob.ok('intab/watch')
    const result = ann.result(taskId)
    const question = await ann.next('elicitation/create')
    expect(await bob.ok('intab/questions/list')).toEqual({ questions: [] })
    expect(await bob.fail('intab/questions/take', { requestId: question.id })).toMatchObject({ code: -32602 })
    await ann.answer(question, { result: { action: 'decline' } })
    await result
    await ann.ok('intab/tasks/delete', { taskId })
    await bob.quiet()
    expect(bob.log.filter((message) => 'method' in message)).toEqual([])
  })

  test("cannot answer another's question, though it knows its id", async () => {
    const { ann, bob, taskId } = await annAndBob()
    const result = ann.result(taskId)
    const question = await ann.next('elicitation/create')
    await bob.answer(question, { result: { action: 'accept', content: { confirm: true } } })
    expect((await ann.get(taskId)).status).toBe('input_required')
    await ann.answer(question, { result: { action: 'decline' } })
    expect(await result).toMatchObject(text('Kept'))
  })

  test('TS-01 TS-09 TS-10 TS-11 is asked for once a connection, by session, connection and data, and stays', async () => {
    const asked: unknown[] = []
    const world = new World({
      tools,
      owner: (session) => {
        asked.push(session)
        return session.id
      }
    })
    const [a, b] = [await rawTab(world, { data: { user: 7 } }), await rawTab(world)]
    expect(asked).toEqual([
      { id: expect.any(String), connection: expect.any(String), data: { user: 7 } },
      { id: expect.any(String), connection: expect.any(String), data: undefined }
    ])
    const { taskId } = await a.create('quick')
    await a.ok('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' }
    })
    expect(await ids(a)).toEqual([taskId])
    expect(await ids(b)).toEqual([])
    expect(asked).toHaveLength(2)
  })

  test('TS-06 is one for the whole origin unless the host says otherwise', async () => {
    const world = new World({ tools })
    const [a, b] = [await rawTab(world, { data: 'ann' }), await rawTab(world, { data: 'bob' })]
    const { taskId } = await a.create('quick')
    expect(await ids(b)).toEqual([taskId])
    expect(await b.get(taskId)).toMatchObject({ taskId })
  })

  test('that the host cannot tell refuses the connection with its error', async () => {
    const world = new World({ tools, owner: () => Promise.reject(new Error('Nobody is signed in')) })
    await expect(rawTab(world)).rejects.toThrow('Nobody is signed in')
  })

  test('deletes one task, or all of its own, with their questions; handlers stop', async () => {
    const stopped: string[] = []
    const forever = toolOf('forever', (_, task) => {
      task.signal.addEventListener('abort', () => stopped.push(task.id))
      return new Promise(() => undefined)
    })
    const world = new World({ ...byData, tools: [...tools.slice(0, 2), forever] })
    const ann = await world.tab({ data: 'ann', onelicit: () => new Promise(() => undefined) })
    const bob = await rawTab(world, { data: 'bob' })
    const kept = await bob.create('quick')
    const run = await runTask(ann.client, { name: 'forever' })
    await deleteTask(ann.client, run.taskId)
    await expect(run.cancel()).rejects.toMatchObject({ code: -32602 })
    await expect(deleteTask(ann.client, run.taskId)).rejects.toMatchObject({ code: -32602 })
    await expect.poll(() => stopped).toEqual([run.taskId])
    await runTask(ann.client, { name: 'confirm_delete', arguments: { filename: 'x' } })
    await expect.poll(() => listQuestions(ann.client).then((open) => open.length)).toBe(1)
    await forget(ann.client)
    expect(await listQuestions(ann.client)).toEqual([])
    await expect(takeQuestion(ann.client, 'task:x:y')).rejects.toMatchObject({ code: -32602 })
    expect(await ids(bob)).toEqual([kept.taskId])
  })
})
