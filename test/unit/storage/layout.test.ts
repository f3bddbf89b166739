// The layouts as they shipped, written by hand: what lies in people's browsers must open in every later build.

import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ToolCall } from '../../../src/types.js'
import type { StoredMessage, StoredTask } from '../../../src/storage/schema.js'
import { draft, page, question } from '../../contract/storage-harness.js'
import { open } from './fixture.js'

type Index = [name: string, keyPath: string | string[], unique: boolean]

const version1: Record<string, { keyPath: string | string[]; indexes: Index[] }> = {
  messages: {
    keyPath: ['taskId', 'n'],
    indexes: [
      ['claimedBy', 'claimedBy', false],
      ['key', ['taskId', 'key'], true],
      ['open', ['owner', 'openTask', 'n'], true],
      ['requestId', 'requestId', true]
    ]
  },
  outcomes: { keyPath: 'taskId', indexes: [] },
  owners: { keyPath: 'owner', indexes: [] },
  steps: { keyPath: ['taskId', 'key'], indexes: [] },
  tasks: {
    keyPath: 'taskId',
    indexes: [
      ['bySeq', ['owner', 'seq'], true],
      ['executor', 'executor', false],
      ['expiresAt', 'expiresAt', false],
      ['idempotencyKey', ['owner', 'idempotencyKey'], true]
    ]
  },
  tombstones: { keyPath: ['owner', 'idempotencyKey'], indexes: [['expiresAt', 'expiresAt', false]] }
}

const version2: typeof version1 = {
  ...version1,
  calls: { keyPath: 'taskId', indexes: [] },
  tasks: {
    keyPath: 'taskId',
    indexes: [...(version1.tasks?.indexes ?? []), ['spare', ['owner', 'spare', 'seq'], true]]
  },
  tombstones: {
    keyPath: ['owner', 'idempotencyKey'],
    indexes: [
      ['expiresAt', 'expiresAt', false],
      ['oldest', ['owner', 'expiresAt'], false]
    ]
  }
}

function raw(name: string, at?: number, onupgrade?: (db: IDBDatabase) => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, at)
  request.onupgradeneeded = () => onupgrade?.(request.result)
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error('Cannot open', { cause: request.error }))
  })
}

function describeLayout(db: IDBDatabase): typeof version1 {
  const tx = db.transaction(Array.from(db.objectStoreNames))
  const stores = Array.from(db.objectStoreNames, (name) => {
    const store = tx.objectStore(name)
    const indexes = Array.from(store.indexNames, (index): Index => {
      const { keyPath, unique } = store.index(index)
      return [index, keyPath, unique]
    })
    return [name, { keyPath: store.keyPath ?? '', indexes }] as const
  })
  return Object.fromEntries(stores)
}

const now = Date.now()
const common = { ...draft({ ttl: null }), createdAt: now, lastUpdatedAt: now, revision: 3, attempt: 1, openRequests: 0 }

const tasks: (StoredTask & ToolCall)[] = [
  { ...common, taskId: 't1', seq: 1, status: 'input_required', openRequests: 1, messageCount: 2, idempotencyKey: 'k1' },
  {
    ...common,
    taskId: 't2',
    seq: 2,
    status: 'failed',
    statusMessage: 'no',
    messageCount: 0,
    fetchedAt: now,
    meta: { hint: 1 }
  }
]
delete tasks[1]?.executor

const address = { taskId: 't1', owner: 'alice', enqueuedAt: now }
const messages: StoredMessage[] = [
  { ...address, kind: 'notification', n: 1, method: 'notifications/message', params: { level: 'info' } },
  { ...address, ...question('q'), kind: 'request', n: 2, requestId: 'task:t1:u', state: 'pending', openTask: 't1' }
]

const rows: Record<string, object[]> = {
  tasks,
  messages,
  outcomes: [{ taskId: 't2', outcome: { error: { code: -1, message: 'no' } } }],
  steps: [{ taskId: 't1', key: 'weigh', value: 12 }],
  owners: [{ owner: 'alice', unfinished: 1, kept: 2, nextSeq: 3 }],
  tombstones: [
    { owner: 'alice', idempotencyKey: 'gone', expiresAt: now + 1_000_000 },
    // `forget` of version 1 left it.
    { owner: 'forgotten', idempotencyKey: 'gone', expiresAt: now + 1_000_000 }
  ]
}

async function shipped(): Promise<string> {
  const name = `test:${crypto.randomUUID()}`
  const db = await raw(name, 1, (old) => {
    for (const [store, { keyPath, indexes }] of Object.entries(version1)) {
      const created = old.createObjectStore(store, { keyPath })
      for (const [index, path, unique] of indexes) created.createIndex(index, path, { unique })
      for (const row of rows[store] ?? []) created.add(row)
    }
  })
  db.close()
  return name
}

async function rowsOf(name: string): Promise<Record<string, unknown[]>> {
  const db = await raw(name)
  const tx = db.transaction(Array.from(db.objectStoreNames))
  const found = Array.from(db.objectStoreNames, (store) => [store, tx.objectStore(store).getAll()] as const)
  await new Promise<void>((resolve) => (tx.oncomplete = () => resolve()))
  db.close()
  return Object.fromEntries(found.map(([store, request]) => [store, request.result as unknown[]]))
}

afterEach(() => void vi.restoreAllMocks())

it('a new database has the layout of version 2', async () => {
  const storage = await open()
  const db = await raw(storage.name)
  expect(db.version).toBe(2)
  expect(describeLayout(db)).toEqual(version2)
  db.close()
})

describe('a database of version 1', () => {
  it('gets the layout of a new one, and loses nothing', async () => {
    const name = await shipped()
    await open({ name })
    const db = await raw(name)
    expect(describeLayout(db)).toEqual(version2)
    db.close()
    const found = await rowsOf(name)
    expect(found).toMatchObject({
      ...rows,
      tasks: tasks.map(({ arguments: _, meta: __, ...task }) => task),
      owners: [{ ...rows.owners?.[0], keys: 1 }],
      tombstones: rows.tombstones?.slice(0, 1)
    })
    expect(found.tasks?.filter((row) => Object.hasOwn(row as object, 'arguments'))).toEqual([])
    // A final task has its place in the order in which tasks make room.
    expect(found.tasks).toMatchObject([expect.not.objectContaining({ spare: 0 }), { taskId: 't2', spare: 0 }])
    expect(found.calls).toEqual([
      { taskId: 't1', arguments: { shelf: 3 } },
      { taskId: 't2', arguments: { shelf: 3 }, meta: { hint: 1 } }
    ])
  })

  it('opens with its tasks, calls, outcomes, messages, steps, counters and keys', async () => {
    const storage = await open({ name: await shipped(), limits: { unfinished: 2 } })
    expect(await storage.tasks.list('alice', { order: 'oldest', limit: 9 })).toMatchObject({
      tasks: [
        { taskId: 't1', executor: 'worker-1' },
        { taskId: 't2', executor: '', fetchedAt: now }
      ]
    })
    expect(await storage.tasks.call('t1')).toMatchObject({ arguments: { shelf: 3 } })
    expect(await storage.tasks.call('t2')).toMatchObject({ meta: { hint: 1 } })
    const waiting = await storage.messages.claim('t1', 'alice', page, 0)
    expect(waiting?.messages).toMatchObject([
      { params: { level: 'info' } },
      { requestId: 'task:t1:u', state: 'delivered' }
    ])
    const final = await storage.messages.claim('t2', 'alice', page, 0)
    expect(final?.outcome).toEqual({ error: { code: -1, message: 'no' } })
    expect(await storage.steps.find('t1', 'weigh')).toMatchObject({ value: 12 })
    expect(await storage.roster.executors()).toEqual(['worker-1'])
    await expect(storage.tasks.create(draft({ idempotencyKey: 'gone' }))).rejects.toMatchObject({
      code: 'may_have_run'
    })
    expect(await storage.tasks.create(draft({ idempotencyKey: 'k1' }))).toMatchObject({ created: false })
    expect(await storage.tasks.create(draft())).toMatchObject({ task: { seq: 3 } })
    await expect(storage.tasks.create(draft())).rejects.toMatchObject({ code: 'limit_reached' })
  })
  it('stays as it is when the upgrade fails half-way, which is told, and opens when the cause is gone', async () => {
    const name = await shipped()
    vi.spyOn(IDBCursor.prototype, 'update')
      .mockImplementationOnce(IDBCursor.prototype.update)
      .mockImplementationOnce(() => {
        throw new DOMException('The disk failed', 'UnknownError')
      })
    await expect(open({ name })).rejects.toMatchObject({
      code: 'storage_refused',
      message: expect.stringContaining('The disk failed')
    })
    expect(await rowsOf(name)).toEqual(rows)
    const storage = await open({ name })
    expect(await storage.tasks.call('t1')).toMatchObject({ arguments: { shelf: 3 } })
  })

  it('waits for a worker of version 1 that holds it, tells so, and then finds what that wrote last', async () => {
    const name = await shipped()
    const older = await raw(name, 1)
    const blocked: string[] = []
    const opening = open({ name, onblocked: (reason) => blocked.push(reason) })
    await vi.waitFor(() => expect(blocked).toEqual([expect.stringContaining('older version of this app')]))
    const tx = older.transaction('tasks', 'readwrite')
    tx.objectStore('tasks').put({ ...tasks[0], arguments: { shelf: 4 } })
    await new Promise<void>((resolve) => (tx.oncomplete = () => resolve()))
    older.close()
    const storage = await opening
    expect(await storage.tasks.call('t1')).toMatchObject({ arguments: { shelf: 4 } })
    await expect(raw(name, 1)).rejects.toMatchObject({ cause: { name: 'VersionError' } })
  })
})
