// The SDK's own Client, its polling and its streams.

import { CallToolResultSchema, type McpError, type Task } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { followTask, runTask } from '../../src/index.js'
import type { McpServerSetup } from '../../src/mcp-server.js'
import { RpcError } from '../../src/worker.js'
import { gate, text, toolOf } from '../support/tools.js'
import { type Tab, World } from '../support/world.js'

const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
const fast = { pollInterval: 5 }
const tools = [
  toolOf('quick', () => text('done'), fast),
  toolOf('asks', async (_, task) => text((await task.elicit(form)).action), fast),
  toolOf('fails', () => ({ ...text('no such file'), isError: true }), fast),
  toolOf('throws', () => Promise.reject(new RpcError(-32042, 'Go there')), fast),
  toolOf('sums', ({ n }) => ({ content: [], structuredContent: { sum: n } }) as never, {
    ...fast,
    outputSchema: { sum: z.number() }
  })
]

async function stream(tab: Tab, name: string, args: Record<string, unknown> = {}) {
  const messages: { type: string; task?: Task; result?: unknown; error?: McpError }[] = []
  const { tasks } = tab.client.experimental
  for await (const message of tasks.callToolStream({ name, arguments: args }, CallToolResultSchema, { task: {} })) {
    messages.push(message)
  }
  return messages
}

describe('callToolStream', () => {
  test('4.10 #1 4.9 #1 #2 #3 ends with the result of a task tool, after the task and its states', async () => {
    const tab = await new World({ tools }).tab()
    const messages = await stream(tab, 'quick')
    expect(messages[0]).toMatchObject({ type: 'taskCreated', task: { status: 'working', pollInterval: 5 } })
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: text('done') })
    const { taskId = '' } = messages[0]?.task ?? {}
    const { tasks } = tab.client.experimental
    expect(await tasks.getTask(taskId)).toMatchObject({ status: 'completed' })
    expect(await tasks.getTaskResult(taskId, CallToolResultSchema)).toMatchObject(text('done'))
  })

  test('4.5 #18 works for a tool that asks: the client is asked, and the result follows', async () => {
    let asked = 0
    const tab = await new World({ tools }).tab({ onelicit: () => (asked++, { action: 'decline' }) })
    const messages = await stream(tab, 'asks')
    expect(messages[0]?.type).toBe('taskCreated')
    expect(messages.filter(({ type }) => type === 'taskStatus').length).toBeGreaterThan(0)
    expect(messages.at(-1)).toMatchObject({ type: 'result', result: text('decline') })
    expect(asked).toBe(1)
  })

  test('makes a task by itself of a tool that was listed, and checks its output schema', async () => {
    const tab = await new World({ tools }).tab()
    await tab.client.listTools()
    const types: string[] = []
    for await (const message of tab.client.experimental.tasks.callToolStream({ name: 'sums', arguments: { n: 3 } })) {
      types.push(message.type)
      if (message.type === 'result') expect(message.result).toMatchObject({ structuredContent: { sum: 3 } })
    }
    expect([types[0], types.at(-1)]).toEqual(['taskCreated', 'result'])
  })

  test.each(['fails', 'throws'])(
    'ends with its own error for a task that failed (%s); tasks/result tells the rest',
    async (name) => {
      const tab = await new World({ tools }).tab()
      const messages = await stream(tab, name)
      const { taskId = '' } = messages[0]?.task ?? {}
      expect(messages.at(-1)).toMatchObject({ type: 'error', error: { code: -32603 } })
      const result = tab.client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)
      if (name === 'fails') expect(await result).toMatchObject({ isError: true, ...text('no such file') })
      else await expect(result).rejects.toMatchObject({ code: -32042, message: 'MCP error -32042: Go there' })
    }
  )
})

test('callToolStream ends with the outcome of a task that failed, too, if that asked before', async () => {
  const tool = toolOf(
    'sorry',
    async (_, task) => {
      await task.elicit(form)
      return { ...text('no such file'), isError: true }
    },
    fast
  )
  const shown = gate()
  const tab = await new World({ tools: [tool] }).tab({
    onelicit: async () => {
      await shown.opened
      return { action: 'decline' }
    }
  })
  const { tasks } = tab.client.experimental
  const types: string[] = []
  const params = { name: 'sorry', arguments: {} }
  for await (const message of tasks.callToolStream(params, CallToolResultSchema, { task: {} })) {
    types.push(message.type)
    if (message.type === 'taskStatus' && message.task.status === 'input_required') shown.open()
    if (message.type === 'result') expect(message.result).toMatchObject({ isError: true, ...text('no such file') })
  }
  expect([types[0], types.at(-1)]).toEqual(['taskCreated', 'result'])
})

describe("the SDK's client", () => {
  test('CT-01 CT-02 CT-03 CT-04 4.9 #4 gets, fetches, lists and cancels tasks', async () => {
    const world = new World({ tools: [...tools, toolOf('forever', () => new Promise(() => undefined))] })
    const { client } = await world.tab()
    const { tasks } = client.experimental
    const [one, two] = [await runTask(client, { name: 'quick' }), await runTask(client, { name: 'forever' })]
    expect(await tasks.getTaskResult(one.taskId, CallToolResultSchema)).toMatchObject(text('done'))
    expect(await tasks.getTask(one.taskId)).toMatchObject({ taskId: one.taskId, status: 'completed' })
    expect((await tasks.listTasks()).tasks.map(({ taskId }) => taskId)).toEqual([one.taskId, two.taskId])
    expect(await tasks.cancelTask(two.taskId)).toMatchObject({ status: 'cancelled' })
    expect(await tasks.getTask(two.taskId)).toMatchObject({ status: 'cancelled' })
  })

  test('4.9 #9 pages through its tasks by cursor', async () => {
    const { client } = await new World({ tools, limits: { page: 2 } }).tab()
    const made: string[] = []
    for (let i = 0; i < 3; i++) made.push((await runTask(client, { name: 'quick' })).taskId)
    const { tasks } = client.experimental
    const first = await tasks.listTasks()
    const second = await tasks.listTasks(first.nextCursor)
    expect([first.tasks.length, second.tasks.length, second.nextCursor]).toEqual([2, 1, undefined])
    expect([...first.tasks, ...second.tasks].map(({ taskId }) => taskId)).toEqual(made)
  })

  test('CX-13 4.9 #10 #11 4.10 #9 is told -32602 for ids that are unknown', async () => {
    const { client } = await new World({ tools }).tab()
    const { tasks } = client.experimental
    await expect(tasks.getTask('x')).rejects.toMatchObject({
      code: -32602,
      message: 'MCP error -32602: Task not found: x'
    })
    await expect(tasks.getTaskResult('x', CallToolResultSchema)).rejects.toMatchObject({ code: -32602 })
    await expect(followTask(client, 'x')).rejects.toMatchObject({ code: -32602 })
  })

  test('is told of a missing prompt or resource with one prefix, as its own', async () => {
    const setup: McpServerSetup = (server) => {
      server.registerPrompt('greet', {}, () => ({ messages: [] }))
      server.registerResource('note', 'note://1', {}, () => ({ contents: [] }))
    }
    const { client } = await new World({ setup }).tab()
    const asks = [client.getPrompt({ name: 'x' }), client.readResource({ uri: 'note://2' })]
    const messages = await Promise.all(asks.map((ask) => ask.catch(({ message }: McpError) => message)))
    expect(messages).toEqual(['MCP error -32602: Prompt x not found', 'MCP error -32602: Resource note://2 not found'])
  })

  test('4.10 #8 runs four tools at once, and each task has its own result', async () => {
    const echo = toolOf('echo', ({ n }) => text(String(n)))
    const { client } = await new World({ tools: [echo] }).tab()
    const runs = await Promise.all([0, 1, 2, 3].map((n) => runTask(client, { name: 'echo', arguments: { n } })))
    const results = await Promise.all(runs.map((run) => run.result()))
    expect(results).toMatchObject([0, 1, 2, 3].map((n) => text(String(n))))
    const { tasks } = await client.experimental.tasks.listTasks()
    expect(tasks.map(({ taskId }) => taskId)).toEqual(runs.map(({ taskId }) => taskId))
  })

  test('4.9 #13 4.10 #11 may insist on capabilities: all that it needs is declared, and a task of sampling is not', async () => {
    const world = new World({
      tools,
      setup: (server) => {
        server.registerTool('samples', {}, async () => {
          const { tasks } = server.server.experimental
          const types: string[] = []
          for await (const { type } of tasks.createMessageStream({ messages: [], maxTokens: 1 }, { task: {} }))
            types.push(type)
          return text(types.join())
        })
      }
    })
    const { client } = await world.tab({ client: { enforceStrictCapabilities: true }, capabilities: { sampling: {} } })
    expect((await client.listTools()).tools).toHaveLength(tools.length + 1)
    const { tasks } = client.experimental
    const { taskId } = await runTask(client, { name: 'quick' })
    expect(await tasks.getTaskResult(taskId, CallToolResultSchema)).toMatchObject(text('done'))
    expect((await tasks.listTasks()).tasks).toHaveLength(1)
    expect(await client.callTool({ name: 'samples' })).toMatchObject(text('error'))
  })
})

describe('following a task', () => {
  test('PT-01 PT-03 PT-05 yields each state in order, whole, to the last, and then ends', async () => {
    const shown = gate()
    const tab = await new World({ tools }).tab({
      onelicit: async () => {
        await shown.opened
        return { action: 'decline' }
      }
    })
    const run = await runTask(tab.client, { name: 'asks' })
    const states: string[] = []
    for await (const task of run) {
      states.push(task.status)
      expect(task).toMatchObject({
        taskId: run.taskId,
        tool: 'asks',
        createdAt: expect.any(String),
        revision: expect.any(Number)
      })
      if (task.status === 'input_required') shown.open()
    }
    expect(states.filter((status, i) => status !== states[i - 1])).toEqual([
      'working',
      'input_required',
      'working',
      'completed'
    ])
  })

  test('PT-02 PT-04 yields a task that ended exactly once, whatever its end', async () => {
    const { client } = await new World({
      tools: [...tools, toolOf('forever', () => new Promise(() => undefined))]
    }).tab()
    for (const [name, status] of [
      ['quick', 'completed'],
      ['fails', 'failed'],
      ['forever', 'cancelled']
    ] as const) {
      const first = await runTask(client, { name })
      if (name === 'forever') await first.cancel()
      await first.result()
      const states: unknown[] = []
      for await (const task of await followTask(client, first.taskId)) states.push([task.taskId, task.status])
      expect(states).toEqual([[first.taskId, status]])
    }
  })
})
