import { afterEach, describe, expect, test, vi } from 'vitest'
import { projectTask } from '../../src/modern/project-task.js'
import type { TaskDraft } from '../../src/types.js'
import { newTask, openEngine } from '../support/engine.js'

const question = { key: 'elicit#1', method: 'elicitation/create', params: { message: '?' }, needs: [] }
const done = { result: { content: [] } }

afterEach(() => {
  vi.useRealTimers()
})

describe('a record as the 2026-07-28 extension shows it', () => {
  const shown = async (
    act: (given: Awaited<ReturnType<typeof ready>>) => Promise<unknown>,
    draft?: Partial<TaskDraft>
  ) => {
    const given = await ready(draft)
    await act(given)
    const { engine, taskId } = given
    const look = await engine.messages.claim(taskId, 'ann', { connection: 'nobody', can: [] }, 0)
    if (look === undefined) throw new Error('The task is gone')
    return projectTask(look.task, look.outcome, await engine.messages.open({ taskId }))
  }
  const ready = async (draft: Partial<TaskDraft> = {}) => {
    const engine = await openEngine()
    const { task, fence } = await newTask(engine, draft)
    return { engine, fence, taskId: task.taskId }
  }

  test('works with times in ISO 8601 and durations in milliseconds', async () => {
    const task = await shown(({ engine, fence }) => engine.tasks.report(fence, { statusMessage: 'Reading' }))
    expect(task).toMatchObject({ status: 'working', statusMessage: 'Reading', ttlMs: 60_000, pollIntervalMs: 60_000 })
    expect(new Date(task.createdAt).toISOString()).toBe(task.createdAt)
  })

  test('carries every open question by its key, the name that the tool gave it', async () => {
    const task = await shown(async ({ engine, fence }) => {
      await engine.messages.ask(fence, question)
      await engine.messages.ask(fence, { ...question, key: 'elicit:name', params: { message: '??' } })
    })
    expect(task.status).toBe('input_required')
    const { inputRequests } = task as { inputRequests: Record<string, unknown> }
    expect(Object.values(inputRequests)).toEqual([
      { method: 'elicitation/create', params: { message: '?' } },
      { method: 'elicitation/create', params: { message: '??' } }
    ])
    expect(Object.keys(inputRequests)).toEqual(['elicit#1', 'name'])
  })

  test('has the result inline, an isError result too, as completed', async () => {
    const result = { isError: true, content: [] }
    const task = await shown(({ engine, fence }) =>
      engine.tasks.finish(fence, { status: 'failed', outcome: { result } })
    )
    expect(task).toMatchObject({ status: 'completed', result: { resultType: 'complete', ...result } })
  })

  test('asks without what only 2025-11-25 knows', async () => {
    const task = await shown(({ engine, fence }) =>
      engine.messages.ask(fence, { ...question, params: { message: '?', task: { ttl: 1 }, elicitationId: 'e' } })
    )
    const { inputRequests } = task as { inputRequests: Record<string, { params: object }> }
    expect(Object.values(inputRequests).map(({ params }) => params)).toEqual([{ message: '?' }])
  })

  test('counts its ttl from its creation, also when it ended later', async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] })
    const task = await shown(async ({ engine, fence }) => {
      vi.setSystemTime(1_030_000)
      await engine.tasks.finish(fence, { status: 'completed', outcome: done })
    })
    expect(task.ttlMs).toBe(90_000)
  })

  test('33 has neither an interval nor a ttl of zero, and keeps null', async () => {
    const none = await shown(async () => undefined, { pollInterval: 0, ttl: null })
    expect(none).not.toHaveProperty('pollIntervalMs')
    expect(none.ttlMs).toBeNull()
    const short = await shown(async () => undefined, { pollInterval: 0.5, ttl: 1500.5 })
    expect(short).not.toHaveProperty('pollIntervalMs')
    expect(Number.isInteger(short.ttlMs)).toBe(true)
  })

  test('has a JSON-RPC error inline, as failed', async () => {
    const error = { code: 7, message: 'Go there', data: { url: 'https://example.com' } }
    const task = await shown(({ engine, fence }) =>
      engine.tasks.finish(fence, { status: 'failed', outcome: { error } })
    )
    expect(task).toMatchObject({ status: 'failed', error })
  })

  test('is cancelled without a result', async () => {
    const end = { status: 'cancelled' as const, outcome: { result: { isError: true, content: [] } } }
    const task = await shown(({ engine, fence }) => engine.tasks.finish(fence, end))
    expect(task.status).toBe('cancelled')
    expect(task).not.toHaveProperty('result')
  })
})
