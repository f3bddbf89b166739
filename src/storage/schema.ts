// What lies on disk. A version that shipped is frozen: change the layout by adding a step, never by editing one.

import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb'
import type { NotificationRecord, Outcome, RequestRecord, StepRecord, TaskRecord, ToolCall } from '../types.js'

export interface StoredTask extends Omit<TaskRecord, 'executor'> {
  /** Only while the task is unfinished, so that its index holds nothing else. */
  executor?: string
  /** Only when the task is final: 0 when its outcome was fetched. Those go first when room is needed, then the oldest. */
  spare?: 0 | 1
}

/** Apart from its task, so that nothing else reads or rewrites large arguments. */
export interface StoredCall extends ToolCall {
  taskId: string
}

/** `openTask` is there only while the request is pending or delivered, so that the index `open` holds nothing else. */
export interface StoredRequest extends RequestRecord {
  openTask?: string
}

export type StoredMessage = StoredRequest | NotificationRecord

/** Apart from its task, so that listing reads no large results. */
export interface StoredOutcome {
  taskId: string
  outcome: Outcome
}

/** Counters of one owner: IndexedDB's own `count` takes time in proportion to what it counts. */
export interface OwnerRow {
  owner: string
  unfinished: number
  kept: number
  nextSeq: number
  /** Tombstones; absent: none. */
  keys?: number
}

/** Remembers the idempotency key of a task that is gone. */
export interface Tombstone {
  owner: string
  idempotencyKey: string
  expiresAt: number
}

export interface Schema extends DBSchema {
  tasks: {
    key: string
    value: StoredTask
    indexes: {
      bySeq: [string, number]
      expiresAt: number
      executor: string
      idempotencyKey: [string, string]
      spare: [string, number, number]
    }
  }
  calls: { key: string; value: StoredCall }
  outcomes: { key: string; value: StoredOutcome }
  messages: {
    key: [string, number]
    value: StoredMessage
    indexes: { requestId: string; key: [string, string]; open: [string, string, number]; claimedBy: string }
  }
  steps: { key: [string, string]; value: StepRecord }
  owners: { key: string; value: OwnerRow }
  tombstones: { key: [string, string]; value: Tombstone; indexes: { expiresAt: number; oldest: [string, number] } }
}

export type StoreName = StoreNames<Schema>
export type Connection<S extends DBSchema = Schema> = IDBPDatabase<S>
export type ReadTx<S extends DBSchema = Schema> = IDBPTransaction<S, StoreNames<S>[], IDBTransactionMode>
export type WriteTx<S extends DBSchema = Schema> = IDBPTransaction<S, StoreNames<S>[], 'readwrite'>

/** Every transaction spans all stores: each write needs `tasks` anyway, so narrower scopes would not run side by side. */
export const stores: StoreName[] = ['tasks', 'calls', 'outcomes', 'messages', 'steps', 'owners', 'tombstones']

/** All keys that start with these parts: an array sorts after every string and number, so `[]` ends the range. */
export const startingWith = (...parts: (string | number)[]): IDBKeyRange => IDBKeyRange.bound(parts, [...parts, []])

/** Rows read by one request at most; a larger `getAll` stalls every other transaction. */
export const pageSize = 100

/** The transaction of an upgrade, which alone changes the layout. */
export type UpgradeTx<S extends DBSchema = Schema> = IDBPTransaction<S, StoreNames<S>[], 'versionchange'>

const steps: ((db: Connection, tx: UpgradeTx) => void | Promise<void>)[] = [createVersion1, moveCallsOut]

export const version = steps.length

/** Brings a database of any older version, 0 being none, to the present one. */
export async function upgrade(db: Connection, oldVersion: number, tx: UpgradeTx): Promise<void> {
  for (const step of steps.slice(oldVersion)) await step(db, tx)
}

function createVersion1(db: Connection): void {
  const tasks = db.createObjectStore('tasks', { keyPath: 'taskId' })
  tasks.createIndex('bySeq', ['owner', 'seq'], { unique: true })
  tasks.createIndex('expiresAt', 'expiresAt')
  tasks.createIndex('executor', 'executor')
  tasks.createIndex('idempotencyKey', ['owner', 'idempotencyKey'], { unique: true })
  db.createObjectStore('outcomes', { keyPath: 'taskId' })
  const messages = db.createObjectStore('messages', { keyPath: ['taskId', 'n'] })
  messages.createIndex('requestId', 'requestId', { unique: true })
  messages.createIndex('key', ['taskId', 'key'], { unique: true })
  messages.createIndex('open', ['owner', 'openTask', 'n'], { unique: true })
  messages.createIndex('claimedBy', 'claimedBy')
  db.createObjectStore('steps', { keyPath: ['taskId', 'key'] })
  db.createObjectStore('owners', { keyPath: 'owner' })
  const tombstones = db.createObjectStore('tombstones', { keyPath: ['owner', 'idempotencyKey'] })
  tombstones.createIndex('expiresAt', 'expiresAt')
}

/** Version 2: what a tool is called with, apart from its task, and the order in which tasks and keys make room. */
async function moveCallsOut(db: Connection, tx: UpgradeTx): Promise<void> {
  const calls = db.createObjectStore('calls', { keyPath: 'taskId' })
  tx.objectStore('tasks').createIndex('spare', ['owner', 'spare', 'seq'], { unique: true })
  // One by one: a row of version 1 may hold megabytes.
  for await (const cursor of tx.objectStore('tasks')) {
    const { arguments: args, meta, ...task } = cursor.value as StoredTask & ToolCall
    if (task.executor === undefined) task.spare = task.fetchedAt === undefined ? 1 : 0
    await calls.put({ taskId: task.taskId, arguments: args, ...(meta && { meta }) })
    await cursor.update(task)
  }
  await countKeys(tx)
}

/** A key whose owner was forgotten is forgotten as well. */
async function countKeys(tx: UpgradeTx): Promise<void> {
  const tombstones = tx.objectStore('tombstones')
  tombstones.createIndex('oldest', ['owner', 'expiresAt'])
  const owners = new Map((await tx.objectStore('owners').getAll()).map((row) => [row.owner, row]))
  for await (const cursor of tombstones) {
    const row = owners.get(cursor.value.owner)
    if (row === undefined) await cursor.delete()
    else row.keys = (row.keys ?? 0) + 1
  }
  for (const row of owners.values()) await tx.objectStore('owners').put(row)
}
