// The tab's functions with the Client of SDK v2, in each of its modes: the connection says which revision they speak.

import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  agentTools,
  deleteTask,
  describeTask,
  followTask,
  forget,
  listQuestions,
  listTasks,
  runTask,
  takeQuestion,
  type TaskInfo,
  watchTasks
} from '../../src/index.js'
import { RpcError } from '../../src/errors.js'
import { MODERN } from '../../src/modern/keys.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> }
interface Options {
  answer?(message: string, signal: AbortSignal): Answer | Promise<Answer>
}

const yes = (): Answer => ({ action: 'accept', content: { confirm: true } })
const unanswered = () => new Promise<never>(() => undefined)
const endless = toolOf('endless', unanswered)
const quick = toolOf('quick', () => text('done'))
const fails = toolOf('fails', () => ({ ...text('no luck'), isError: true }))
const throws = toolOf('throws', () => {
  throw new RpcError(-31900, 'no such file', { path: 'a.txt' })
})

const modes = [
  ['2025-11-25', {}],
  [MODERN, { versionNegotiation: { mode: { pin: MODERN } } }]
] as const

describe.each(modes)('with a Client of SDK v2 that speaks %s', (version, mode: ClientOptions) => {
  async function connect(world: World, { answer }: Options = {}): Promise<Client> {
    const client = new Client(
      { name: 'v2', version: '1.0.0' },
      { ...(answer && { capabilities: { elicitation: { form: {} } } }), ...mode }
    )
    if (answer) {
      client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => answer(params.message, mcpReq.signal))
    }
    onTestFinished(() => client.close())
    await client.connect(world.transport().transport)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    return client
  }

  test('runTask answers its questions by the handlers of the client, and tells its states', async () => {
    const asked: string[] = []
    const client = await connect(new World({ tools: [confirmDelete] }), {
      answer: (message) => {
        asked.push(message)
        return yes()
      }
    })
    const run = await runTask(client, { name: 'confirm_delete', arguments: { filename: 'a.txt' } })
    const statuses: string[] = []
    for await (const { status } of run) statuses.push(status)
    expect(await run.result()).toMatchObject(text('Deleted a.txt'))
    expect(asked).toEqual(['Delete a.txt?'])
    expect([statuses[0], statuses.at(-1)]).toEqual(['working', 'completed'])
    expect(run.task).toMatchObject({ tool: 'confirm_delete', status: 'completed' })
  })

  test('runTask asks for a ttl, tells progress, and passes on what the call carries for the tool', async () => {
    const go = gate()
    const counts = toolOf('counts', async (_, task) => {
      await go.opened
      for (const progress of [1, 2]) {
        task.progress({ progress, total: 2 })
        await task.status(`step ${String(progress)}`)
      }
      return text(JSON.stringify(task.meta))
    })
    const client = await connect(new World({ tools: [counts], ttl: { max: 50_000 } }))
    const seen: number[] = []
    const call = { name: 'counts', _meta: { 'example.com/thread': 'a' } }
    const run = await runTask(client, call, { ttl: 40_000, onprogress: ({ progress }) => seen.push(progress) })
    expect(run.task.ttl).toBe(40_000)
    go.open()
    expect(await run.result()).toMatchObject(text('{"example.com/thread":"a"}'))
    expect(seen.at(-1)).toBe(2)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })

  test('results, failures and errors are what the tool made of them', async () => {
    const client = await connect(new World({ tools: [quick, fails, throws, endless] }))
    const quickly = await runTask(client, { name: 'quick' })
    expect(await quickly.result()).toMatchObject(text('done'))
    const failed = await runTask(client, { name: 'fails' })
    expect(await failed.result()).toMatchObject({ ...text('no luck'), isError: true })
    expect(failed.task.status).toBe('failed')
    const thrown = await runTask(client, { name: 'throws' })
    await expect(thrown.result()).rejects.toMatchObject({ code: -31900, data: { path: 'a.txt' } })
    expect(thrown.task.status).toBe('failed')
    await expect(runTask(client, { name: 'nothing' })).rejects.toMatchObject({ code: -32602 })
    const run = await runTask(client, { name: 'endless' })
    expect(await run.cancel()).toMatchObject({ taskId: run.taskId, status: 'cancelled' })
    expect(await run.result()).toMatchObject({ ...text('Task was cancelled'), isError: true })
    expect((await listTasks(client)).tasks.map(({ status }) => status)).toEqual([
      'completed',
      'failed',
      'failed',
      'cancelled'
    ])
  })

  test('followTask finds a task by its id, stops with its signal, and rejects when the task is deleted', async () => {
    const world = new World({ tools: [quick, endless] })
    const [a, b] = [await connect(world), await connect(world)]
    const { taskId } = await runTask(a, { name: 'endless' })
    const leaving = new AbortController()
    const left = (await followTask(b, taskId, { signal: leaving.signal })).result()
    const reason = new Error('unmounted')
    leaving.abort(reason)
    await expect(left).rejects.toBe(reason)
    const run = await followTask(b, taskId)
    expect(run.task.status).toBe('working')
    const gone = expect(run.result()).rejects.toMatchObject({ code: -32602 })
    await deleteTask(a, taskId)
    await gone
    await expect(followTask(b, taskId)).rejects.toMatchObject({ code: -32602 })
  })

  test('a run outlives its worker', async () => {
    const world = new World({ tools: [confirmDelete] })
    const shown = gate()
    const client = await connect(world, {
      answer: () => {
        shown.open()
        return unanswered()
      }
    })
    const run = await runTask(client, { name: 'confirm_delete', arguments: { filename: 'a.txt' } })
    const result = run.result()
    await shown.opened
    world.living().kill()
    expect(await result).toMatchObject({ isError: true })
    expect(run.task.status).toBe('failed')
  })

  test('watchTasks tells of every change, of progress and of deletion', async () => {
    const client = await connect(new World({ tools: [quick] }))
    const seen: TaskInfo[] = []
    const removed: string[] = []
    const stop = await watchTasks(client, { ontask: (task) => seen.push(task), onremoved: (id) => removed.push(id) })
    const run = await runTask(client, { name: 'quick' })
    await run.result()
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ taskId: run.taskId, status: 'completed' }))
    expect(seen.at(-1)?.ttl).toBe(run.task.ttl)
    await deleteTask(client, run.taskId)
    await vi.waitFor(() => expect(removed).toEqual([run.taskId]))
    stop()
    await (await runTask(client, { name: 'quick' })).result()
    expect(seen.every(({ taskId }) => taskId === run.taskId)).toBe(true)
  })

  test('listQuestions, describeTask and forget see what is the owner’s; takeQuestion moves a question here', async () => {
    const world = new World({ tools: [confirmDelete] })
    let asked = 0
    let withdrawn = 0
    const a = await connect(world, {
      answer: (_, signal) => {
        asked += 1
        signal.addEventListener('abort', () => (withdrawn += 1))
        return unanswered()
      }
    })
    const b = await connect(world, { answer: yes })
    const run = await runTask(a, { name: 'confirm_delete', arguments: { filename: 'a.txt' } })
    const result = run.result()
    await vi.waitFor(async () => expect(await listQuestions(a)).toMatchObject([{ here: true, taskId: run.taskId }]))
    await vi.waitFor(() => expect(asked).toBe(1))
    const [question] = await listQuestions(b)
    expect(question).toMatchObject({ here: false, shown: true })
    await takeQuestion(b, question?.requestId ?? '')
    expect(await result).toMatchObject(text('Deleted a.txt'))
    await vi.waitFor(() => expect(withdrawn).toBe(1))
    expect(await describeTask(b, run.taskId)).toMatchObject({ arguments: { filename: 'a.txt' } })
    await forget(a)
    expect((await listTasks(b)).tasks).toEqual([])
  })

  test('agentTools calls task tools and plain ones alike, and resumes', async () => {
    const world = new World({
      tools: [confirmDelete, quick],
      setup: (server) => void server.registerTool('plain', { description: 'Plain' }, () => text('plain'))
    })
    const tools = agentTools(await connect(world, { answer: yes }))
    expect((await tools.list()).map(({ name }) => name)).toEqual(['confirm_delete', 'quick', 'plain'])
    expect(await tools.call('plain')).toMatchObject(text('plain'))
    const states: TaskInfo[] = []
    const onstatus = (task: TaskInfo): void => void states.push(task)
    expect(await tools.call('confirm_delete', { filename: 'a' }, { onstatus })).toMatchObject(text('Deleted a'))
    expect(states.at(-1)?.status).toBe('completed')
    expect(await tools.resume(states[0]?.taskId ?? '')).toMatchObject(text('Deleted a'))
  })
})
