import type { Storage, StorageOptions } from '../../src/storage/open-storage.js'
import type {
  Claimant,
  Fence,
  IntabEvent,
  JsonObject,
  Outcome,
  RequestDraft,
  TaskDraft,
  TaskRecord
} from '../../src/types.js'

/** A storage over a database of its own, with what it told the world. */
export interface Opened extends Storage {
  name: string
  published: string[]
  events: IntabEvent[]
}

/** Opens a fresh database, or another connection to one by its name. */
export type Open = (options?: Partial<StorageOptions>) => Promise<Opened>

export const draft = (over: Partial<TaskDraft> = {}): TaskDraft => ({
  taskId: crypto.randomUUID(),
  owner: 'alice',
  tool: 'pack',
  arguments: { shelf: 3 },
  capabilities: ['elicitation.form'],
  session: 'session-1',
  connection: 'connection-1',
  requestId: 7,
  ttl: 60_000,
  pollInterval: 1_000,
  executor: 'worker-1',
  ...over
})

export const question = (key = 'elicit:0', over: Partial<RequestDraft> = {}): RequestDraft => ({
  key,
  method: 'elicitation/create',
  params: { message: `${key}?` },
  needs: ['elicitation.form'],
  ...over
})

export const page: Claimant = { connection: 'connection-1', can: ['elicitation.form', 'sampling'] }
export const otherPage: Claimant = { connection: 'connection-2', can: ['elicitation.form', 'sampling'] }

export const fenceOf = ({ taskId, executor, attempt }: TaskRecord): Fence => ({ taskId, executor, attempt })

export const text = (words: string): JsonObject => ({ content: [{ type: 'text', text: words }] })

export const completed = (words = 'done') =>
  ({ status: 'completed', outcome: { result: text(words) } }) satisfies { status: 'completed'; outcome: Outcome }

/** A new task, as its handler sees it. */
export async function start(
  storage: Storage,
  over: Partial<TaskDraft> = {}
): Promise<{ task: TaskRecord; fence: Fence }> {
  const { task } = await storage.tasks.create(draft(over))
  return { task, fence: fenceOf(task) }
}

export async function outcomeOf(storage: Storage, { taskId, owner }: TaskRecord): Promise<Outcome | undefined> {
  return (await storage.messages.claim(taskId, owner, { connection: 'reader', can: [] }, 0))?.outcome
}
