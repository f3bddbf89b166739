// What a task tool asks on a plain server of the SDK's.

import { describe, expect, it, vi } from 'vitest'
import { gate, text, toolOf } from '../../support/tools.js'
import { ask, callAsTask, fast, kinds, taskResult, wire } from './wire.js'

describe.each(kinds)('a question of a task tool on a server of the SDK’s, %s', (_kind, stores) => {
  it('asks through tasks/result, is input_required meanwhile, and working after the answer', async () => {
    const after = gate()
    const tool = toolOf(
      'clear',
      async (_args, task) => {
        const { action, content } = await task.elicit(ask)
        await after.opened
        return text(`${action} ${String(content?.['sure'])}`)
      },
      fast
    )
    const seen = gate<unknown>()
    const answer = gate()
    const { client, errors } = await wire({
      ...stores(),
      tools: [tool],
      onelicit: async (params) => {
        seen.open(params)
        await answer.opened
        return { action: 'accept', content: { sure: true } }
      }
    })
    const { taskId } = await callAsTask(client, 'clear')
    const outcome = taskResult(client, taskId)
    expect(await seen.opened).toMatchObject({
      ...ask,
      mode: 'form',
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } }
    })
    await vi.waitFor(async () =>
      expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: 'input_required' })
    )
    answer.open()
    await vi.waitFor(async () =>
      expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: 'working' })
    )
    after.open()
    expect(await outcome).toMatchObject(text('accept true'))
    expect(errors).toEqual([])
  })

  it('B5 delivers its questions on a plain call, too, which the SDK only polls for', async () => {
    const tool = toolOf('clear', async (_args, task) => text((await task.elicit(ask)).action), fast)
    const { client } = await wire({ ...stores(), tools: [tool], onelicit: () => ({ action: 'decline' }) })
    expect(await client.callTool({ name: 'clear', arguments: {} })).toMatchObject(text('decline'))
  })

  it('an answer that does not fit its schema, and an error answer, reject the question with code and text', async () => {
    const thrown: unknown[] = []
    const tool = toolOf(
      'clear',
      async (_args, task) => {
        for (let n = 0; n < 2; n += 1) await task.elicit(ask).catch((error: unknown) => thrown.push(error))
        return text('done')
      },
      fast
    )
    let asked = 0
    const { client } = await wire({
      ...stores(),
      tools: [tool],
      onelicit: () => {
        asked += 1
        if (asked === 1) return { action: 'accept', content: { sure: 'maybe' } }
        throw Object.assign(new Error('not now'), { code: -32_050, data: { until: 5 } })
      }
    })
    await taskResult(client, (await callAsTask(client, 'clear')).taskId)
    expect(thrown).toMatchObject([{ code: -32602 }, { code: -32_050, message: 'not now', data: { until: 5 } }])
    expect((thrown[0] as Error).message).toMatch(/^Elicitation response content does not match/)
  })

  it('a question to a client that cannot answer rejects with missing_capability, and none is queued', async () => {
    const thrown: unknown[] = []
    const tool = toolOf(
      'clear',
      async (_args, task) => {
        const calls = [
          task.elicit(ask),
          task.elicitUrl({ message: 'go', url: 'https://example.org' }),
          task.createMessage({ messages: [], maxTokens: 1 }),
          task.elicit(ask, { task: {} })
        ]
        for (const call of calls) await call.catch((error: unknown) => thrown.push(error))
        return text('done')
      },
      fast
    )
    const { store, queue } = stores()
    const { client } = await wire({ store, queue, tools: [tool] })
    const { taskId } = await callAsTask(client, 'clear')
    await vi.waitFor(() => expect(thrown).toHaveLength(4))
    expect(await queue.dequeueAll(taskId)).toEqual([])
    expect(thrown).toMatchObject(Array.from({ length: 4 }, () => ({ code: 'missing_capability' })))
  })

  it('a question that nobody answers in its time rejects with -32001, and one that was answered is not cancelled', async () => {
    const thrown: unknown[] = []
    const tool = toolOf(
      'clear',
      async (_args, task) => {
        await task.elicit(ask, { timeout: 40 }).catch((error: unknown) => thrown.push(error))
        const { action } = await task.elicit(ask, { timeout: 23_456 })
        return text(action)
      },
      fast
    )
    let asked = 0
    const { server, client } = await wire({
      ...stores(),
      tools: [tool],
      onelicit: () => ((asked += 1) === 1 ? new Promise(() => undefined) : { action: 'decline' })
    })
    const transport = server.server.transport
    if (transport === undefined) throw new Error('not connected')
    const send = vi.spyOn(transport, 'send')
    const set = vi.spyOn(globalThis, 'setTimeout')
    const clear = vi.spyOn(globalThis, 'clearTimeout')
    expect(await taskResult(client, (await callAsTask(client, 'clear')).taskId)).toMatchObject(text('decline'))
    expect(thrown).toMatchObject([{ code: -32_001, message: 'Request timed out', data: { timeout: 40 } }])
    const cancelled = send.mock.calls.filter(([sent]) => 'method' in sent && sent.method === 'notifications/cancelled')
    expect(cancelled.length).toBeLessThanOrEqual(1)
    const timers = set.mock.results.filter((_, i) => set.mock.calls[i]?.[1] === 23_456)
    expect(timers).not.toEqual([])
    for (const { value } of timers) expect(clear).toHaveBeenCalledWith(value)
  })
})
