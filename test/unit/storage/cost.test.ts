// What the store costs must not grow with what it keeps: counted in requests and rows, not by the clock.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStorage } from '../../../src/storage/open-storage.js'
import { fenceOf } from '../../../src/tasks/status.js'
import { draftOf } from '../../support/record.js'

interface Cost {
  requests: string[]
  rows: number
  /** Of rows written and read, as JSON. */
  bytes: number
}

const sizeOf = (row: unknown): number => JSON.stringify(row ?? null).length

type Method = (...args: unknown[]) => IDBRequest

const read = ['get', 'getAll', 'getKey', 'getAllKeys', 'openCursor', 'openKeyCursor', 'count']
const write = ['put', 'add', 'delete', 'clear']
const nothing = (): Cost => ({ requests: [], rows: 0, bytes: 0 })
let cost: Cost
let restore: (() => void)[] = []

/** Every request goes past here, on its way to the real method. */
function spy(prototype: object, method: string): void {
  const original = Reflect.get(prototype, method) as Method
  Object.assign(prototype, {
    [method](this: { name: string; objectStore?: { name: string } }, ...args: unknown[]) {
      const request = original.apply(this, args)
      const own = cost
      if (method === 'put' || method === 'add') own.bytes += sizeOf(args[0])
      own.requests.push(`${method} ${this.objectStore?.name ?? ''}/${this.name}`)
      request.addEventListener('success', () => {
        own.rows += Array.isArray(request.result) ? request.result.length : 1
        if (method === 'get' || method === 'getAll') own.bytes += sizeOf(request.result)
      })
      return request
    }
  })
  restore.push(() => Object.assign(prototype, { [method]: original }))
}

beforeEach(() => {
  cost = nothing()
  for (const method of [...read, ...write]) {
    spy(IDBObjectStore.prototype, method)
    if (Reflect.has(IDBIndex.prototype, method)) spy(IDBIndex.prototype, method)
  }
})

afterEach(() => {
  for (const undo of restore) undo()
  restore = []
})

/** Requests and rows of a few calls, with so many tasks stored. */
async function costsWith(tasks: number): Promise<{ costs: Record<string, Cost>; room: Cost }> {
  const name = `cost:${crypto.randomUUID()}`
  const storage = await openStorage({
    name,
    publish: () => undefined,
    limits: { unfinished: 100_000, kept: 100_000 }
  })
  let last = ''
  const ids: string[] = []
  for (let i = 0; i < tasks; i++) {
    const { task } = await storage.tasks.create(draftOf({ ttl: 60_000 + i }))
    const outcome = { result: { content: [{ type: 'text', text: 'x'.repeat(1000) }] } }
    await storage.tasks.finish({ taskId: task.taskId }, { status: 'completed', outcome })
    last = task.taskId
    ids.push(last)
  }
  await storage.tasks.markFetched(ids)
  const costOf = async (act: () => Promise<unknown>): Promise<Cost> => {
    const own = (cost = nothing())
    await act()
    cost = nothing()
    return own
  }
  const { task: working } = await storage.tasks.create(draftOf())
  const costs = {
    get: await costOf(() => storage.tasks.get(last)),
    list: await costOf(() => storage.tasks.list('ann', { order: 'newest', limit: 50 })),
    page: await costOf(() => storage.tasks.list('ann', { order: 'oldest', limit: 50, after: 40 })),
    create: await costOf(() => storage.tasks.create(draftOf())),
    wait: await costOf(() => storage.messages.claim(working.taskId, 'ann', { connection: 'c', can: [] }, 0)),
    report: await costOf(() => storage.tasks.report({ ...working }, { statusMessage: 'x' })),
    sweep: await costOf(() => storage.retention.sweep()),
    open: await costOf(() => storage.messages.open({ owner: 'ann' }))
  }
  storage.close()
  const full = await openStorage({ name, publish: () => undefined, limits: { unfinished: 100_000, kept: tasks + 2 } })
  const room = await costOf(async () => {
    for (let n = 0; n < 20; n += 1) await full.tasks.create(draftOf({ idempotencyKey: `next-${n}` }))
  })
  full.close()
  return { costs, room }
}

describe('with ten times as many tasks', () => {
  test('F52 get, list, create, wait, report, sweep and making room make the same requests and read as many rows', async () => {
    const { costs: few, room } = await costsWith(120)
    const { costs: many, room: roomOfMany } = await costsWith(1200)
    const withoutBytes = (costs: Record<string, Cost>) =>
      Object.entries(costs).map(([name, { requests, rows }]) => ({ name, requests, rows }))
    expect(withoutBytes(many)).toEqual(withoutBytes(few))
    expect(few.list?.rows).toBeLessThanOrEqual(52)
    // Of 20 creations: each reads a tombstone, an owner and a task that goes. What is written counts as a row as well.
    expect(room.rows).toBeLessThanOrEqual(20 * 10)
    expect(roomOfMany.rows).toBeLessThanOrEqual(room.rows)
    expect(roomOfMany.requests.length).toBeLessThanOrEqual(room.requests.length)
  })

  test('nothing is counted by the database, and a list reads no outcome', async () => {
    const { costs } = await costsWith(120)
    const requests = Object.values(costs).flatMap((one) => one.requests)
    expect(requests.length).toBeGreaterThan(10)
    expect(requests.filter((request) => request.startsWith('count'))).toEqual([])
    const listing = [...(costs.list?.requests ?? []), ...(costs.page?.requests ?? [])]
    expect(listing.filter((request) => request.includes('outcomes'))).toEqual([])
  })
})

test('large arguments are written once, and read by nobody who does not run the tool or show them', async () => {
  const storage = await openStorage({ name: `cost:${crypto.randomUUID()}`, publish: () => undefined })
  const large = 'x'.repeat(1_000_000)
  const { task } = await storage.tasks.create(draftOf({ arguments: { large }, meta: { large } }))
  expect(cost.bytes).toBeLessThan(2_010_000)
  cost = nothing()
  const fence = fenceOf(task)
  const question = { key: 'q', method: 'elicitation/create', params: {}, needs: [] }
  await storage.tasks.report(fence, { statusMessage: 'half way', progress: { progress: 1 } })
  const asked = await storage.messages.ask(fence, question)
  await storage.messages.notify(fence, 'notifications/message', {})
  await storage.messages.claim(task.taskId, 'ann', { connection: 'c', can: [] }, 0)
  await storage.messages.answer(asked?.requestId ?? '', 'ann', { result: {} })
  await storage.steps.record(fence, 'step', 1)
  await storage.tasks.finish(fence, { status: 'completed', outcome: { result: {} } })
  await storage.tasks.markFetched([task.taskId])
  await storage.tasks.get(task.taskId)
  await storage.tasks.list('ann', { order: 'newest', limit: 50 })
  await storage.tasks.list('ann', { order: 'oldest', limit: 50 })
  await storage.tasks.remove('ann', task.taskId)
  expect(cost.bytes).toBeLessThan(50_000)
  storage.close()
})
