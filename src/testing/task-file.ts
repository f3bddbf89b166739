// What a file of tasks may hold: nothing that does not fit gets near a database, and the error names the field.

import * as z from 'zod'
import { IntabError, toError } from '../errors.js'
import { taskIdOf } from '../ids.js'
import { plainJson } from '../plain-json.js'
import type { Json, NotificationRecord, RequestRecord, RunRecord, TaskRecord } from '../records.js'
import { fileFormat, fileVersion, type FileTask, type TaskFile } from '../task-file.js'

/** What a Date can say, in ms: https://tc39.es/ecma262/#sec-time-values-and-time-range */
const time = z.number().int().min(0).max(8.64e15)
const count = z.number().int().min(0)
const text = z.string().min(1)
const id = z.union([z.string(), z.number()])

const json = z.unknown().transform((value, context): Json => {
  try {
    return plainJson(value).value
  } catch (error) {
    context.addIssue(toError(error).message)
    return z.NEVER
  }
})
const object = json.refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
  error: 'expected an object'
})

const outcome = z.union([
  z.strictObject({ result: object }),
  z.strictObject({ error: z.strictObject({ code: z.number(), message: z.string(), data: json.optional() }) })
])

const run = z.strictObject({
  attempt: count.min(1),
  executor: z.string(),
  startedAt: time,
  endedAt: time,
  gaveUp: z.literal(true).optional()
} satisfies Record<keyof RunRecord, z.ZodType>)

const task = z.strictObject({
  taskId: text,
  tool: text,
  capabilities: z.array(z.string()),
  session: z.string(),
  connection: z.string(),
  requestId: id,
  progressToken: id.optional(),
  ttl: time.nullable(),
  pollInterval: count,
  executor: z.string(),
  idempotencyKey: text.optional(),
  lent: z.literal(true).optional(),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional(),
  createdAt: time,
  lastUpdatedAt: time,
  expiresAt: time.optional(),
  revision: count,
  attempt: count.min(1),
  startedAt: time.optional(),
  runs: z.array(run).optional(),
  provenAttempt: count.optional(),
  progress: z
    .strictObject({ progress: z.number(), total: z.number().optional(), message: z.string().optional() })
    .optional(),
  openRequests: count,
  openCalls: count.optional(),
  messageCount: count,
  replaced: count.optional(),
  fetchedAt: time.optional()
} satisfies Record<keyof FileTask['task'], z.ZodType>)

const message = { n: count.min(1), method: text, params: object, enqueuedAt: time }

const notification = z.strictObject({
  ...message,
  kind: z.literal('notification'),
  key: text.optional()
} satisfies Record<Exclude<keyof NotificationRecord, 'taskId' | 'owner'>, z.ZodType>)

const request = z.strictObject({
  ...message,
  kind: z.literal('request'),
  key: text,
  requestId: text,
  needs: z.array(z.string()),
  timeout: time.optional(),
  lent: z.literal(true).optional(),
  state: z.enum(['pending', 'delivered', 'answered', 'withdrawn']),
  claimedBy: z.string().optional(),
  deliveredAt: time.optional(),
  hosted: z.string().optional(),
  refused: z.strictObject({ reason: z.string(), answer: object.optional(), count }).optional(),
  tab: z.string().optional(),
  once: z.literal(true).optional(),
  answer: outcome.optional(),
  closedAt: time.optional(),
  closedIn: z.string().optional()
} satisfies Record<Exclude<keyof RequestRecord, 'taskId' | 'owner'>, z.ZodType>)

const file = z.strictObject({
  format: z.literal(fileFormat),
  version: z.literal(fileVersion),
  exportedAt: time,
  tasks: z.array(
    z.strictObject({
      task,
      call: z.strictObject({ arguments: object, meta: object.optional() }),
      outcome: outcome.optional(),
      messages: z.array(z.discriminatedUnion('kind', [notification, request])),
      steps: z.array(z.strictObject({ key: text, value: json.optional(), at: time.optional() }))
    } satisfies Record<keyof FileTask, z.ZodType>)
  )
})

const refuse = (field: string, problem: string): IntabError =>
  new IntabError(
    'invalid_options',
    `${field}: ${problem}. Nothing was imported: correct the file, or export the tasks again`,
    { field }
  )

/** Throws `invalid_options`, with the field that does not fit. */
export function checkTaskFile(value: unknown): TaskFile {
  const { format, version } = (value ?? {}) as Partial<Record<string, unknown>>
  if (format !== fileFormat) throw refuse('format', `expected "${fileFormat}", as the devtools write it`)
  if (typeof version === 'number' && version > fileVersion) {
    throw new IntabError(
      'invalid_options',
      `version: the file was written by a newer intab (${version}; this one reads ${fileVersion}). Update intab, and import it again`,
      { field: 'version' }
    )
  }
  const parsed = file.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw refuse(fieldOf(issue?.path ?? []), issue?.message ?? 'does not fit')
  }
  // The schemas have every field of the records, and no other.
  const checked = parsed.data as unknown as TaskFile
  const ids = new Set<string>()
  checked.tasks.forEach((each, index) => {
    const { taskId } = each.task
    if (ids.has(taskId)) throw refuse(`tasks[${index}].task.taskId`, `${taskId} is in the file twice`)
    ids.add(taskId)
    checkTogether(each, `tasks[${index}]`)
  })
  return checked
}

const isFinal = ({ status }: Pick<TaskRecord, 'status'>): boolean => status !== 'working' && status !== 'input_required'

/** What each field alone cannot tell. */
function checkTogether({ task: row, outcome: end, messages, steps }: FileTask, field: string): void {
  const { taskId, messageCount } = row
  if (isFinal(row) !== (end !== undefined)) {
    throw refuse(`${field}.outcome`, `a task that is ${row.status} has ${end ? 'none yet' : 'one'}`)
  }
  const known = new Set<string>()
  const once = (name: string, value: string): void => {
    if (known.has(`${name} ${value}`)) throw refuse(name, `${value} is used twice in this task`)
    known.add(`${name} ${value}`)
  }
  let last = 0
  messages.forEach((each, index) => {
    const at = `${field}.messages[${index}]`
    if (each.n <= last) throw refuse(`${at}.n`, 'messages are in the order of n, and no two have the same')
    last = each.n
    if (each.key !== undefined) once(`${field}.messages.key`, each.key)
    if (each.kind === 'notification') return
    once(`${field}.messages.requestId`, each.requestId)
    if (!each.requestId.startsWith('task:') || taskIdOf(each.requestId) !== taskId) {
      throw refuse(`${at}.requestId`, `a question of this task has an id that starts with task:${taskId}:`)
    }
    const isOpen = each.state === 'pending' || each.state === 'delivered'
    if (isOpen && isFinal(row)) throw refuse(`${at}.state`, `a task that is ${row.status} has no open question`)
    if (each.state === 'answered' && each.answer === undefined) throw refuse(`${at}.answer`, 'it is missing')
  })
  if (messageCount < last) throw refuse(`${field}.task.messageCount`, `there is a message ${last}`)
  for (const { key } of steps) once(`${field}.steps.key`, key)
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (field, part) => (typeof part === 'number' ? `${field}[${part}]` : `${field}${field && '.'}${String(part)}`),
    ''
  ) || 'The file'
