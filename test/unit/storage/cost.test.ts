// What the store costs must not grow with what it keeps: counted in requests and rows, not by the clock.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStorage } from '../../../src/storage/open-storage.js'
import { draftOf } from '../../support/record.js'

interface Cost {
  requests: string[]
  rows: number
}

type Method = (...args: unknown[]) => IDBRequest

const read = ['get', 'getAll', 'getKey', 'getAllKeys', 'openCursor', 'openKeyCursor', 'count']
const write = ['put', 'add', 'delete', 'clear']
let cost: Cost
let restore: (() => void)[] = []

/** Every request goes past here, on its way to the real method. */
function spy(prototype: object, method: string): void {
  const original = Reflect.get(prototype, method) as Method
  Object.assign(prototype, {
    [method](this: { name: string; objectStore?: { name: string } }, ...args: unknown[]) {
      const request = original.apply(this, args)
      cost.requests.push(`${method} ${this.objectStore?.name ?? ''}/${this.name}`)
      request.addEventListener('success', () => {
        cost.rows += Array.isArray(request.result) ? request.result.length : 1
      })
      return request
    }
  })
  restore.push(() => Object.assign(prototype, { [method]: original }))
}

beforeEach(() => {
  cost = { requests: [], rows: 0 }
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
async function costsWith(tasks: number): Promise<Record<string, Cost>> {
  const storage = await openStorage({
    name: `cost:${crypto.randomUUID()}`,
    publish: () => undefined,
    limits: { unfinished: 100_000, kept: 100_000 }
  })
  let last = ''
  for (let i = 0; i < tasks; i++) {
    const { task } = await storage.tasks.create(draftOf({ ttl: 60_000 + i }))
    const outcome = { result: { content: [{ type: 'text', text: 'x'.repeat(1000) }] } }
    await storage.tasks.finish({ taskId: task.taskId }, { status: 'completed', outcome })
    last = task.taskId
  }
  const costOf = async (act: () => Promise<unknown>): Promise<Cost> => {
    const own = (cost = { requests: [], rows: 0 })
    await act()
    cost = { requests: [], rows: 0 }
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
  return costs
}

describe('with ten times as many tasks', () => {
  test('F52 get, list, create, wait, report and sweep make the same requests and read as many rows', async () => {
    const few = await costsWith(120)
    const many = await costsWith(1200)
    expect(many).toEqual(few)
    expect(few.list?.rows).toBeLessThanOrEqual(52)
  })

  test('nothing is counted by the database, and a list reads no outcome', async () => {
    const costs = await costsWith(120)
    const requests = Object.values(costs).flatMap((one) => one.requests)
    expect(requests.length).toBeGreaterThan(10)
    expect(requests.filter((request) => request.startsWith('count'))).toEqual([])
    const listing = [...(costs.list?.requests ?? []), ...(costs.page?.requests ?? [])]
    expect(listing.filter((request) => request.includes('outcomes'))).toEqual([])
  })
})
