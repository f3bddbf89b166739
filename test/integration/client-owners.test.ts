// Whose is what: questions that move between tabs, owners that do not see each other, calls that know their task.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type CreateTaskResult, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test, vi } from 'vitest'
import { deleteTask, followTask, forget, listQuestions, listTasks, runTask, takeQuestion } from '../../src/index.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const yes = { action: 'accept' as const, content: { confirm: true } }
const unanswered = () => new Promise<never>(() => undefined)
const endless = toolOf('endless', unanswered)
const quick = toolOf('quick', () => text('done'))

describe('questions', () => {
  test('are listed with where they are, and move to the tab that takes them', async () => {
    const world = new World({ tools: [confirmDelete] })
    const withdrawn = gate()
    const ids: string[] = []
    const a = await world.tab({
      onelicit: (_, id, signal) => {
        ids.push(id)
        signal.addEventListener('abort', () => withdrawn.open())
        return unanswered()
      }
    })
    const b = await world.tab({ onelicit: (_, id) => (ids.push(id), yes) })
    const run = await runTask(a.client, { name: 'confirm_delete', arguments: { filename: 'x' } })
    const result = run.result()
    await vi.waitFor(() => expect(ids).toHaveLength(1))
    const [here] = await listQuestions(a.client)
    const [there] = await listQuestions(b.client)
    const question = { taskId: run.taskId, requestId: ids[0], method: 'elicitation/create', shown: true }
    expect(here).toMatchObject({ ...question, here: true, params: { message: 'Delete x?' } })
    expect(there).toMatchObject({ ...question, here: false })
    expect(Date.parse(there?.shownSince ?? '')).toBeGreaterThanOrEqual(Date.parse(there?.enqueuedAt ?? ''))

    await takeQuestion(b.client, ids[0] ?? '')
    expect(await result).toMatchObject(text('Deleted x'))
    await withdrawn.opened
    expect(ids).toEqual([ids[0], ids[0]])
    expect(await listQuestions(a.client)).toEqual([])
    await expect(takeQuestion(b.client, ids[0] ?? '')).rejects.toMatchObject({ code: -32602 })
  })

  test('taken by the tab that shows them already, are asked there anew, and the new answer counts', async () => {
    const world = new World({ tools: [confirmDelete] })
    const signals: AbortSignal[] = []
    const tab = await world.tab({
      onelicit: (_, _id, signal) => (signals.push(signal) === 1 ? unanswered() : yes)
    })
    const run = await runTask(tab.client, { name: 'confirm_delete', arguments: { filename: 'x' } })
    const result = run.result()
    const question = await vi.waitFor(async () => {
      const [first] = await listQuestions(tab.client)
      if (first === undefined || signals.length === 0) throw new Error('Not asked yet')
      return first
    })
    await takeQuestion(tab.client, question.requestId)
    expect(await result).toMatchObject(text('Deleted x'))
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })

  test('are not taken by a client that could not answer them', async () => {
    const world = new World({ tools: [confirmDelete] })
    const a = await world.tab({ onelicit: unanswered })
    const deaf = await world.tab()
    await runTask(a.client, { name: 'confirm_delete', arguments: { filename: 'x' } })
    const question = await vi.waitFor(async () => {
      const [first] = await listQuestions(deaf.client)
      if (first === undefined) throw new Error('Not asked yet')
      return first
    })
    await expect(takeQuestion(deaf.client, question.requestId)).rejects.toMatchObject({ code: -32602 })
  })
})

describe('owners', () => {
  const worldOf = (): World =>
    new World({ tools: [quick, endless, confirmDelete], owner: ({ data }) => JSON.stringify(data) })

  test('F6 a foreign task is not found, nor followed, deleted, or its question listed or taken', async () => {
    const world = worldOf()
    const ann = await world.tab({ data: 'ann', onelicit: unanswered })
    const bob = await world.tab({ data: 'bob', onelicit: unanswered })
    const run = await runTask(ann.client, { name: 'confirm_delete', arguments: { filename: 'x' } })
    const [question] = await vi.waitFor(async () => {
      const open = await listQuestions(ann.client)
      expect(open).toHaveLength(1)
      return open
    })
    expect((await listTasks(bob.client)).tasks).toEqual([])
    expect(await listQuestions(bob.client)).toEqual([])
    const refused = { code: -32602 }
    await expect(followTask(bob.client, run.taskId)).rejects.toMatchObject(refused)
    await expect(deleteTask(bob.client, run.taskId)).rejects.toMatchObject(refused)
    await expect(takeQuestion(bob.client, question?.requestId ?? '')).rejects.toMatchObject(refused)
    expect((await listTasks(ann.client)).tasks).toHaveLength(1)
  })

  test('deleteTask stops the task and deletes it, forget deletes all of the owner and nothing of others', async () => {
    const world = worldOf()
    const ann = await world.tab({ data: 'ann' })
    const bob = await world.tab({ data: 'bob' })
    const run = await runTask(ann.client, { name: 'endless' })
    const waiting = run.result()
    await deleteTask(ann.client, run.taskId)
    await expect(waiting).rejects.toMatchObject({ code: -32602 })
    await expect(deleteTask(ann.client, run.taskId)).rejects.toMatchObject({ code: -32602 })
    for (const { client } of [ann, ann, bob]) await (await runTask(client, { name: 'quick' })).result()
    await forget(ann.client)
    expect((await listTasks(ann.client)).tasks).toEqual([])
    expect((await listTasks(bob.client)).tasks).toHaveLength(1)
  })
})

describe('the key of a call', () => {
  const call = async (client: Client, filename: string, key: string): Promise<string> => {
    const params = { name: 'confirm_delete', arguments: { filename }, task: {}, _meta: { 'intab/key': key } }
    const made: CreateTaskResult = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)
    return made.task.taskId
  }

  test('finds the task that it made, for its owner and the same arguments; once that is gone it may have run', async () => {
    const world = new World({ tools: [confirmDelete], owner: ({ data }) => JSON.stringify(data) })
    const ann = await world.tab({ data: 'ann', onelicit: unanswered })
    const bob = await world.tab({ data: 'bob', onelicit: unanswered })
    const made = await call(ann.client, 'a', 'k')
    expect(await call(ann.client, 'a', 'k')).toBe(made)
    await expect(call(ann.client, 'b', 'k')).rejects.toMatchObject({ code: -32602 })
    expect(await call(bob.client, 'a', 'k')).not.toBe(made)
    await deleteTask(ann.client, made)
    await expect(call(ann.client, 'a', 'k')).rejects.toMatchObject({ code: -31030, data: { code: 'may_have_run' } })
    expect((await listTasks(ann.client)).tasks).toEqual([])
    await forget(ann.client)
    // The key went with all the rest that the owner had.
    expect(await call(ann.client, 'a', 'k')).not.toBe(made)
  })
})
