// What a client does, one action after the other, and what it sees of each.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { CallToolResultSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { vi } from 'vitest'

type Json = Record<string, unknown>

/** A client of one server, with all that it was told. */
export interface Probe {
  client: Client
  /** Params of the questions, in order. */
  asked: Json[]
  /** `notifications/tasks/status` and `notifications/progress`, in order. */
  heard: { method: string; params: Json }[]
  /** What the client answers next; an Error is thrown, `undefined` never comes. */
  answer: unknown
}

export type Action = (probe: Probe) => Promise<unknown>

/** Milliseconds; what takes longer has no answer: neither server has a timer that is near. */
const timeout = 1000

const ask = ({ client }: Probe, method: string, params: Json, options?: RequestOptions): Promise<Json> =>
  client.request({ method, params }, ResultSchema, { timeout, ...options })

const call = (probe: Probe, name: string, args: Json = {}, options?: RequestOptions): Promise<Json> =>
  ask(probe, 'tools/call', { name, arguments: args }, options)

const create = async (probe: Probe, name: string, args: Json = {}, task: Json = {}): Promise<Json> =>
  (await ask(probe, 'tools/call', { name, arguments: args, task })).task as Json

const start = async (probe: Probe, name: string, args?: Json): Promise<{ taskId: unknown }> => {
  const { taskId } = await create(probe, name, args)
  return { taskId }
}

const result = (probe: Probe, params: Json): Promise<Json> => ask(probe, 'tasks/result', params)

/** The state of a task once its result was there, so that it is final. */
const settled = async (probe: Probe, params: { taskId: unknown }): Promise<Json> => {
  await result(probe, params).catch(() => undefined)
  return ask(probe, 'tasks/get', params)
}

const asking = async (probe: Probe): Promise<{ taskId: unknown; answered: Promise<Json> }> => {
  const before = probe.asked.length
  const { taskId } = await start(probe, 'confirm', { filename: 'a.txt' })
  const answered = result(probe, { taskId })
  answered.catch(() => undefined)
  await vi.waitFor(() => {
    if (probe.asked.length === before) throw new Error('not asked yet')
  })
  return { taskId, answered }
}

const stream = async ({ client }: Probe, name: string, args: Json = {}): Promise<unknown[]> => {
  const seen: unknown[] = []
  // The SDK's stream asks with the timeout again and again, if need be for ever.
  const options = { task: {}, timeout, signal: AbortSignal.timeout(3 * timeout) }
  for await (const message of client.experimental.tasks.callToolStream(
    { name, arguments: args },
    CallToolResultSchema,
    options
  )) {
    const last =
      message.type === 'result' ? message.result.content : message.type === 'error' ? message.error.message : ''
    if (message.type !== 'taskStatus') seen.push(last === '' ? message.type : [message.type, last])
  }
  return seen
}

const unknown = { taskId: 'no-such-task' }
const yes = { action: 'accept', content: { confirm: true } }

/** In this order, by one client. */
export const actions: Record<string, Action> = {
  'the task capabilities of the server': async ({ client }) => client.getServerCapabilities()?.tasks,
  'tools/list: which tools may be tasks': async ({ client }) =>
    (await client.listTools()).tools.map(({ name, execution }) => `${name}: ${execution?.taskSupport}`).sort(),
  ping: ({ client }) => client.ping(),
  'tools/call of a plain tool': (probe) => call(probe, 'add', { a: 1, b: 2 }),
  'tools/call with task, of a plain tool': (probe) => create(probe, 'add', { a: 1, b: 2 }),
  'tools/call of an unknown tool': (probe) => call(probe, 'nothing'),
  'tools/call with task, of an unknown tool': (probe) => create(probe, 'nothing'),
  'tools/call without task, of a tool that requires it': (probe) => call(probe, 'confirm', { filename: 'a.txt' }),
  'tools/call without task, of a tool that allows it': (probe) => call(probe, 'quick'),
  'tools/call without task, of a tool that fails': (probe) => call(probe, 'fails'),
  'tools/call without task, of a tool that throws': (probe) => call(probe, 'throws'),
  'tools/call without task, of a tool that asks': (probe) => {
    probe.answer = yes
    return call(probe, 'confirm_any', { filename: 'a.txt' })
  },
  'tools/call without task, bad arguments': (probe) => call(probe, 'typed', { n: 'one' }),
  'tools/call with task, bad arguments': (probe) => create(probe, 'typed', { n: 'one' }),
  'tools/call with task: the task': (probe) => create(probe, 'quick'),
  'tools/call with task, no ttl asked: the ttl': async (probe) => String((await create(probe, 'quick')).ttl),
  'tools/call with task, ttl 5000: the ttl': async (probe) => (await create(probe, 'quick', {}, { ttl: 5000 })).ttl,
  'tools/call with task, ttl 0: the ttl': async (probe) => (await create(probe, 'quick', {}, { ttl: 0 })).ttl,
  'tools/call with task, 30 days: the ttl': async (probe) =>
    (await create(probe, 'quick', {}, { ttl: 30 * 24 * 3600 * 1000 })).ttl,
  'tools/call with task, an error with a code: tasks/result': async (probe) =>
    result(probe, await start(probe, 'throws_coded')),
  'tasks/get of a completed task': async (probe) => settled(probe, await start(probe, 'quick')),
  'tasks/result of a completed task': async (probe) => result(probe, await start(probe, 'quick')),
  'tasks/result twice': async (probe) => {
    const task = await start(probe, 'quick')
    return JSON.stringify(await result(probe, task)) === JSON.stringify(await result(probe, task))
  },
  'tasks/result by two at once': async (probe) => {
    const task = await start(probe, 'quick')
    return Promise.all([result(probe, task), result(probe, task)])
  },
  'tasks/get with related-task metadata': async (probe) => {
    const { taskId } = await start(probe, 'quick')
    await result(probe, { taskId })
    const _meta = { 'io.modelcontextprotocol/related-task': { taskId } }
    return ask(probe, 'tasks/get', { taskId, _meta }, { timeout })
  },
  'tasks/get of an unknown task': (probe) => ask(probe, 'tasks/get', unknown),
  'tasks/result of an unknown task': (probe) => result(probe, unknown),
  'tasks/cancel of an unknown task': (probe) => ask(probe, 'tasks/cancel', unknown),
  'the text of an error, with its prefixes': async (probe) =>
    ask(probe, 'tasks/get', unknown).catch(({ message }: Error) => message.split('MCP error').length - 1),
  'tasks/get without a task id': (probe) => ask(probe, 'tasks/get', {}),
  'tasks/list with a bad cursor': (probe) => ask(probe, 'tasks/list', { cursor: 'no-such-cursor' }),
  'tasks/list: the shape': async (probe) => {
    const { tasks, ...rest } = await ask(probe, 'tasks/list', {})
    return [Array.isArray(tasks), Object.keys(rest).filter((key) => key !== 'nextCursor')]
  },
  'tasks/cancel of a completed task': async (probe) => {
    const task = await start(probe, 'quick')
    await result(probe, task)
    return ask(probe, 'tasks/cancel', task)
  },
  'a tool that fails: the task': async (probe) => settled(probe, await start(probe, 'fails')),
  'a tool that fails: tasks/result': async (probe) => result(probe, await start(probe, 'fails')),
  'a tool that throws: the task': async (probe) => settled(probe, await start(probe, 'throws')),
  'a tool that throws: tasks/result': async (probe) => result(probe, await start(probe, 'throws')),
  'a question: its params': async (probe) => {
    probe.answer = yes
    const { answered } = await asking(probe)
    await answered
    return probe.asked.at(-1)
  },
  'a question accepted': async (probe) => {
    probe.answer = yes
    return (await asking(probe)).answered
  },
  'a question declined': async (probe) => {
    probe.answer = { action: 'decline' }
    return (await asking(probe)).answered
  },
  'a question answered with an error': async (probe) => {
    probe.answer = Object.assign(new Error('nobody is here'), { code: -32099 })
    return (await asking(probe)).answered
  },
  'a question: the status while it waits': async (probe) => {
    probe.answer = undefined
    const { taskId } = await asking(probe)
    const { status } = await ask(probe, 'tasks/get', { taskId })
    await ask(probe, 'tasks/cancel', { taskId })
    return status
  },
  'the statuses that a client hears of': async (probe) => {
    probe.answer = yes
    const { taskId, answered } = await asking(probe)
    await answered
    return probe.heard.flatMap(({ method, params }) =>
      method === 'notifications/tasks/status' && params.taskId === taskId ? [params.status] : []
    )
  },
  'tasks/cancel of a running task': async (probe) => ask(probe, 'tasks/cancel', await start(probe, 'forever')),
  'tasks/cancel twice': async (probe) => {
    const task = await start(probe, 'forever')
    await ask(probe, 'tasks/cancel', task)
    return ask(probe, 'tasks/cancel', task)
  },
  'tasks/result of a cancelled task': async (probe) => {
    const task = await start(probe, 'forever')
    await ask(probe, 'tasks/cancel', task)
    return result(probe, task)
  },
  'tasks/result that waits while the task is cancelled': async (probe) => {
    const task = await start(probe, 'forever')
    const waiting = result(probe, task)
    waiting.catch(() => undefined)
    await ask(probe, 'tasks/cancel', task)
    return waiting
  },
  'tasks/cancel while a question is open: tasks/result': async (probe) => {
    probe.answer = undefined
    const { taskId, answered } = await asking(probe)
    await ask(probe, 'tasks/cancel', { taskId })
    return answered
  },
  'callToolStream of a task that asks': (probe) => {
    probe.answer = yes
    return stream(probe, 'confirm', { filename: 'a.txt' })
  },
  'callToolStream of a tool that fails': (probe) => stream(probe, 'fails'),
  'callToolStream of a tool that throws': (probe) => stream(probe, 'throws')
}
