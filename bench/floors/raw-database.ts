// IndexedDB by hand, with the stores and indexes of src/storage/schema.ts.

type Request<T> = IDBRequest<T>

export const owner = 'everybody'

const request = <T>(of: Request<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    of.onsuccess = () => resolve(of.result)
    of.onerror = () => reject(of.error)
  })

export function openRaw(name: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, 1)
  opening.onupgradeneeded = () => {
    const db = opening.result
    const tasks = db.createObjectStore('tasks', { keyPath: 'taskId' })
    tasks.createIndex('bySeq', ['owner', 'seq'], { unique: true })
    tasks.createIndex('expiresAt', 'expiresAt')
    tasks.createIndex('executor', 'executor')
    tasks.createIndex('idempotencyKey', ['owner', 'idempotencyKey'], { unique: true })
    tasks.createIndex('spare', ['owner', 'spare', 'seq'], { unique: true })
    db.createObjectStore('calls', { keyPath: 'taskId' })
    db.createObjectStore('outcomes', { keyPath: 'taskId' })
    const messages = db.createObjectStore('messages', { keyPath: ['taskId', 'n'] })
    messages.createIndex('requestId', 'requestId', { unique: true })
    messages.createIndex('key', ['taskId', 'key'], { unique: true })
    messages.createIndex('open', ['owner', 'openTask', 'n'], { unique: true })
    messages.createIndex('claimedBy', 'claimedBy')
    db.createObjectStore('owners', { keyPath: 'owner' })
  }
  return request(opening)
}

/**
 * Puts rows into their stores in one transaction; resolves when it has committed. `reads` are the keys that a correct write
 * has to look at first, in the same transaction: whether the task is still its own, and the counters that it raises.
 */
export async function put(
  db: IDBDatabase,
  rows: Record<string, object>,
  reads: Record<string, IDBValidKey>
): Promise<void> {
  const tx = db.transaction(Object.keys(rows), 'readwrite', { durability: 'relaxed' })
  await Promise.all(Object.entries(reads).map(([store, key]) => request(tx.objectStore(store).get(key))))
  for (const [store, row] of Object.entries(rows)) tx.objectStore(store).put(row)
  tx.commit()
  return new Promise((resolve, reject) => {
    tx.oncomplete = () => resolve()
    tx.onabort = () => reject(tx.error)
  })
}

export function get(db: IDBDatabase, store: string, key: IDBValidKey): Promise<unknown> {
  return request(db.transaction(store).objectStore(store).get(key))
}

/** Rows as large as intab's. */
export const taskRow = (taskId: string, seq: number, change: object = {}): object => ({
  taskId,
  owner,
  tool: 'hold',
  capabilities: ['elicitation.form'],
  session: '0d9f9f1c-3a38-4a6c-9d50-4b6b5f9e9f4e',
  connection: 'f5c7a3f4-9a0e-4f57-8a39-1c8b1c1a1b1c',
  requestId: seq,
  ttl: 604_800_000,
  pollInterval: 1000,
  idempotencyKey: taskId,
  seq,
  status: 'working',
  createdAt: Date.now(),
  lastUpdatedAt: Date.now(),
  expiresAt: Date.now() + 604_800_000,
  revision: 1,
  attempt: 1,
  openRequests: 0,
  messageCount: 0,
  executor: 'bench:executor:6a1d2e0a-6a55-4b7f-8c0d-0d6a1f1c1d1e',
  ...change
})

export const finishedRow = (taskId: string, seq: number): object =>
  taskRow(taskId, seq, { status: 'completed', executor: undefined, spare: 1 })

export const callRow = (taskId: string): object => ({ taskId, arguments: {} })

export const outcomeRow = (taskId: string): object => ({
  taskId,
  outcome: { result: { content: [{ type: 'text', text: '1700000000000.123' }] } }
})

export const ownerRow = (nextSeq: number): object => ({ owner, unfinished: 1, kept: nextSeq, nextSeq })

export const questionRow = (taskId: string, change: object): object => ({
  kind: 'request',
  taskId,
  n: 1,
  owner,
  requestId: `task:${taskId}:6a1d2e0a-6a55-4b7f-8c0d-0d6a1f1c1d1e`,
  key: 'elicit#1',
  method: 'elicitation/create',
  params: { message: '1700000000000.123', mode: 'form', requestedSchema: { type: 'object', properties: {} } },
  needs: ['elicitation.form'],
  enqueuedAt: Date.now(),
  ...change
})
