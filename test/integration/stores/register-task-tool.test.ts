// A task tool, unchanged, on a plain server of the SDK's over anybody's stores.

import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { taskTool } from '../../../src/tool/tool.js'
import { gate, text, toolOf } from '../../support/tools.js'
import { callAsTask, fast, kinds, taskResult, wire } from './wire.js'
import { RpcError } from '../../../src/errors.js'

describe.each(kinds)('a task tool on a server of the SDK’s, %s', (_kind, stores) => {
  it('is a task that works, and completes with what the handler returned', async () => {
    const go = gate()
    const tool = toolOf(
      'pack',
      async ({ shelf }) => {
        await go.opened
        return text(`shelf ${String(shelf)}`)
      },
      { ...fast, ttl: 60_000, immediateResponse: 'on it' }
    )
    const { client } = await wire({ ...stores(), tools: [tool] })
    const task = await callAsTask(client, 'pack', { shelf: 3 }, { ttl: 5_000 })
    expect(task).toMatchObject({ status: 'working', ttl: 60_000, pollInterval: 5 })
    go.open()
    expect(await taskResult(client, task.taskId)).toEqual({
      ...text('shelf 3'),
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } }
    })
    await vi.waitFor(() => expect(client.states.map(({ status }) => status)).toEqual(['completed']))
  })

  it('status, progress, notify, step and sleep do what they say', async () => {
    const tool = toolOf(
      'pack',
      async (_args, task) => {
        await task.status('packing')
        task.progress({ progress: 1, total: 2, message: 'half' })
        await task.notify({ method: 'notifications/message', params: { level: 'info', data: 'note' } })
        const n = await task.step('count', () => 41)
        await task.sleep(1)
        await expect(task.step('count', () => 0)).rejects.toMatchObject({ code: 'duplicate_step' })
        return text(`${n + 1} ${task.attempt} ${JSON.stringify(task.meta)}`)
      },
      fast
    )
    const { client } = await wire({ ...stores(), tools: [tool] })
    const progress: unknown[] = []
    const params = { name: 'pack', arguments: {}, task: {}, _meta: { 'a/b': 1 } }
    const { task } = (await client.request({ method: 'tools/call', params }, z.looseObject({ task: z.any() }), {
      onprogress: (report) => progress.push(report)
    })) as { task: { taskId: string } }
    expect(await taskResult(client, task.taskId)).toMatchObject(text('42 1 {"a/b":1}'))
    expect(await client.experimental.tasks.getTask(task.taskId)).toMatchObject({ statusMessage: 'packing' })
    expect(progress).toMatchObject([{ progress: 1, total: 2, message: 'half' }])
    expect(client.told).toMatchObject([{ method: 'notifications/message', params: { data: 'note' } }])
  })

  it('refuses what is no text, no number and no time, as in a worker', async () => {
    const codes: unknown[] = []
    const tool = toolOf(
      'pack',
      async (_args, task) => {
        const refused = [
          task.status(7 as unknown as string),
          task.sleep(NaN),
          task.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } }, { timeout: 0 })
        ]
        for (const promise of refused) codes.push(await promise.catch(({ code }: { code: unknown }) => code))
        task.progress({ progress: Infinity })
        return text('done')
      },
      fast
    )
    const { client, errors } = await wire({ ...stores(), tools: [tool], onelicit: () => ({ action: 'accept' }) })
    const { taskId } = await callAsTask(client, 'pack')
    expect(await taskResult(client, taskId)).toMatchObject(text('done'))
    expect(codes).toEqual(['invalid_options', 'invalid_options', 'invalid_options'])
    expect(errors).toMatchObject([{ code: 'invalid_options' }])
  })

  it('a throw, an isError result and arguments that do not fit end it failed, with the text', async () => {
    const failing = toolOf(
      'fail',
      () => {
        throw new Error('no shelf')
      },
      fast
    )
    const refusing = toolOf('refuse', () => ({ ...text('no key'), isError: true }), fast)
    const coded = toolOf(
      'code',
      () => {
        throw new RpcError(-32_050, 'gone')
      },
      fast
    )
    const strict = taskTool('strict', { inputSchema: { n: z.number() }, taskSupport: 'required', ...fast }, () =>
      text('')
    )
    const { client } = await wire({ ...stores(), tools: [failing, refusing, coded, strict] })
    for (const [name, says] of Object.entries({
      fail: 'no shelf',
      refuse: 'no key',
      code: 'gone',
      strict: 'strict: '
    })) {
      const { taskId } = await callAsTask(client, name, { n: 'x' })
      const outcome = await taskResult(client, taskId)
      expect(outcome).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(says) as unknown }] })
      expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({
        status: 'failed',
        statusMessage: expect.stringContaining(says) as unknown
      })
    }
  })

  it('shows its schema in tools/list, and parses the arguments once', async () => {
    const inputSchema = {
      when: z
        .string()
        .describe('ISO')
        .transform((value) => new Date(value)),
      n: z.number().default(2)
    }
    const tool = taskTool(
      'plan',
      { title: 'Plan', description: 'Plans', inputSchema, taskSupport: 'optional', ...fast },
      ({ when, n }: { when: Date; n: number }) => text(`${when.getUTCFullYear()} ${n}`)
    )
    const { client } = await wire({ ...stores(), tools: [tool] })
    const { tools } = await client.listTools()
    expect(tools).toMatchObject([
      {
        name: 'plan',
        title: 'Plan',
        description: 'Plans',
        execution: { taskSupport: 'optional' },
        inputSchema: {
          type: 'object',
          properties: { when: { type: 'string', description: 'ISO' }, n: { type: 'number', default: 2 } },
          required: ['when']
        }
      }
    ])
    const { taskId } = await callAsTask(client, 'plan', { when: '2031-05-01' })
    expect(await taskResult(client, taskId)).toMatchObject(text('2031 2'))
    expect(await client.callTool({ name: 'plan' })).toMatchObject({ isError: true })
  })
})
