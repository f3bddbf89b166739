import { CallToolResultSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { deleteTask, followTask, listTasks, runTask, watchTasks } from '../../src/index.js'
import { confirmDelete, gate, text, toolOf, writeHaiku } from '../support/tools.js'
import { World } from '../support/world.js'

const yes = { action: 'accept' as const, content: { confirm: true } }

describe('the road', () => {
  test('IT-01 a tool call becomes a task that asks, is answered and returns', async () => {
    const world = new World({ tools: [confirmDelete] })
    const asked: unknown[] = []
    const tab = await world.tab({ onelicit: (params) => (asked.push(params.message), yes) })

    const run = await runTask(tab.client, { name: 'confirm_delete', arguments: { filename: 'a.txt' } })
    expect(run.task).toMatchObject({ status: 'working', pollInterval: 60_000 })
    const states: string[] = []
    for await (const task of run) states.push(task.status)

    expect(await run.result()).toMatchObject(text('Deleted a.txt'))
    expect(asked).toEqual(['Delete a.txt?'])
    expect(states[0]).toBe('working')
    expect(states.at(-1)).toBe('completed')
    expect(
      await tab.client.request({ method: 'tasks/get', params: { taskId: run.taskId } }, ResultSchema)
    ).toMatchObject({
      taskId: run.taskId,
      status: 'completed'
    })
  })

  test('IT-02 a tool that throws ends as failed, with its message', async () => {
    const broken = toolOf('broken', () => {
      throw new Error('the disk is on fire')
    })
    const world = new World({ tools: [broken] })
    const { client } = await world.tab()
    const run = await runTask(client, { name: 'broken' })
    expect(await run.result()).toMatchObject({ isError: true, ...text('the disk is on fire') })
    expect(run.task).toMatchObject({ status: 'failed', statusMessage: 'the disk is on fire' })
  })

  test('a question to the model is answered by the client', async () => {
    const world = new World({ tools: [writeHaiku] })
    const { client } = await world.tab({
      onsample: () => ({ role: 'assistant', model: 'me', content: { type: 'text', text: 'old pond' } })
    })
    const run = await runTask(client, { name: 'write_haiku', arguments: { topic: 'frogs' } })
    expect(await run.result()).toMatchObject(text('old pond'))
  })

  test('A6 tab A starts and closes; tab B gets the question once, answers, and gets the result, without a poll', async () => {
    const world = new World({ tools: [confirmDelete] })
    const a = await world.tab({ onelicit: () => new Promise(() => undefined) })
    const { taskId } = await runTask(a.client, { name: 'confirm_delete', arguments: { filename: 'b.txt' } })
    await a.close()
    let asked = 0
    const b = await world.tab({ onelicit: () => (asked++, yes) })
    const run = await followTask(b.client, taskId)
    expect(await run.result()).toMatchObject(text('Deleted b.txt'))
    expect(asked).toBe(1)
  })

  test('the question on the screen of a tab that closes is shown by the next that waits, under the same id', async () => {
    const world = new World({ tools: [confirmDelete] })
    const ids: string[] = []
    const shown = gate()
    const a = await world.tab({
      onelicit: (_, id) => {
        ids.push(id)
        shown.open()
        return new Promise(() => undefined)
      }
    })
    const started = await runTask(a.client, { name: 'confirm_delete', arguments: { filename: 'c.txt' } })
    const b = await world.tab({ onelicit: (_, id) => (ids.push(id), yes) })
    const run = await followTask(b.client, started.taskId)
    const first = started.result()
    await shown.opened
    const result = run.result()
    a.crash()
    expect(await result).toMatchObject(text('Deleted c.txt'))
    expect(first).toBeInstanceOf(Promise)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  test('two tabs share one worker and see the same tasks; foreign tabs see none', async () => {
    const world = new World({ tools: [toolOf('quick', () => text('done'))], owner: ({ data }) => JSON.stringify(data) })
    const [a, b, c] = await Promise.all([
      world.tab({ data: 'ann' }),
      world.tab({ data: 'ann' }),
      world.tab({ data: 'bob' })
    ])
    const run = await runTask(a.client, { name: 'quick' })
    await run.result()
    expect(world.workers).toHaveLength(1)
    expect((await listTasks(b.client)).tasks).toMatchObject([
      { taskId: run.taskId, tool: 'quick', status: 'completed' }
    ])
    expect((await listTasks(c.client)).tasks).toEqual([])
    await expect(followTask(c.client, run.taskId)).rejects.toMatchObject({ code: -32602 })
  })

  test('plain tools of setup and task tools stand in one list, each with its task support', async () => {
    const world = new World({
      tools: [confirmDelete],
      setup: (server) => {
        server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => text(String(a + b)))
      }
    })
    const { client } = await world.tab()
    const { tools } = await client.listTools()
    const support = Object.fromEntries(tools.map((tool) => [tool.name, tool.execution?.taskSupport]))
    expect(support).toMatchObject({ confirm_delete: 'required' })
    expect(Object.keys(support).sort()).toEqual(['add', 'confirm_delete'])
    expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject(text('3'))
  })

  test('a plain call of an optional tool is answered with the outcome of its task, its question on the way', async () => {
    const ask = toolOf('ask', async (_, task) => {
      const { action } = await task.elicit({ message: 'ok?', requestedSchema: { type: 'object', properties: {} } })
      return text(action)
    })
    const world = new World({ tools: [ask] })
    const { client } = await world.tab({ onelicit: () => ({ action: 'decline' }) })
    expect(await client.callTool({ name: 'ask' })).toMatchObject(text('decline'))
  })

  test('tasks/cancel stops the handler and answers whoever waits', async () => {
    const stopped = gate<unknown>()
    const forever = toolOf('forever', (_, task) => {
      task.signal.addEventListener('abort', () => stopped.open(task.signal.reason))
      return new Promise(() => undefined)
    })
    const world = new World({ tools: [forever] })
    const { client } = await world.tab()
    const run = await runTask(client, { name: 'forever' })
    const result = run.result()
    expect(await run.cancel()).toMatchObject({ status: 'cancelled' })
    expect(await result).toMatchObject({ isError: true, ...text('Task was cancelled') })
    expect(await stopped.opened).toMatchObject({ code: 'aborted' })
    await expect(run.cancel()).rejects.toMatchObject({ code: -32602 })
  })

  test('the stock client gets a task and its result by raw requests', async () => {
    const world = new World({ tools: [toolOf('quick', () => text('done'))] })
    const { client } = await world.tab()
    const made = await client.request(
      { method: 'tools/call', params: { name: 'quick', task: { ttl: 5000 } } },
      ResultSchema
    )
    const { taskId } = made.task as { taskId: string }
    expect(made.task).toMatchObject({ status: 'working', ttl: 5000 })
    const result = await client.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema)
    expect(result).toMatchObject({
      ...text('done'),
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } }
    })
  })
})

describe('watchTasks', () => {
  test('tells every tab of progress and deletions, also after the worker was replaced', async () => {
    const go = gate()
    const world = new World({
      tools: [
        toolOf('counts', async (_, task) => {
          task.progress({ progress: 1, total: 2 })
          await go.opened
          return text('counted')
        })
      ]
    })
    const a = await world.tab()
    const b = await world.tab()
    const seen: unknown[] = []
    const removed: string[] = []
    await watchTasks(b.client, {
      ontask: ({ status, progress }) => seen.push([status, progress?.progress]),
      onremoved: (taskId) => removed.push(taskId)
    })
    world.living().kill()
    await listTasks(b.client)
    const run = await runTask(a.client, { name: 'counts' })
    await expect.poll(() => seen).toContainEqual(['working', 1])
    go.open()
    await run.result()
    await expect.poll(() => seen.at(-1)).toEqual(['completed', 1])
    await deleteTask(a.client, run.taskId)
    await expect.poll(() => removed).toEqual([run.taskId])
  })

  test('tells whoever watches that a task went whose time was over, also one of which this worker never told', async () => {
    const world = new World({ tools: [toolOf('quick', () => text('done'), { taskSupport: 'required', ttl: 1_000 })] })
    const { client } = await world.tab()
    const run = await runTask(client, { name: 'quick' })
    await run.result()
    world.living().kill()
    const removed: string[] = []
    await watchTasks(client, { ontask: () => undefined, onremoved: (taskId) => removed.push(taskId) })
    await expect.poll(() => removed, { timeout: 5_000 }).toEqual([run.taskId])
  })
})
