// What a worker tells of itself, by `intab/worker/read`.

import { ask, type ConnectedClient } from '../../protocol/connected-client.js'

/** An event or a line of the console. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  at: number
  /** Such as `created`, or a level of the console. */
  type: string
  text?: string
  tool?: string
  taskId?: string
  status?: string
  connection?: string
}

export interface WorkerInfo {
  name: string
  version: string
  /** Its generation. */
  worker: string
  lock: string
  /** Milliseconds since 1970. */
  since: number
  /** Names of the locks of all workers of the database that live. */
  workers: string[]
  /** Of all owners. */
  connections: number
  sessions: {
    session: string
    connection: string
    here: boolean
    watches: boolean
    can: string[]
    questions: number
  }[]
  waiters: number
  runs: number
  /** Whether it serves several owners: then it tells nothing of its console. */
  isShared: boolean
  log: { entries: LogEntry[]; dropped: number }
  storage?: {
    rows?: Record<string, number>
    usage?: number
    quota?: number
    next: { taskId: string; tool: string; expiresAt: number }[]
  }
}

export const readWorker = async (
  client: ConnectedClient,
  params: { log: ('events' | 'console')[]; storage?: boolean }
): Promise<WorkerInfo> => (await ask(client, 'intab/worker/read', params)) as unknown as WorkerInfo
