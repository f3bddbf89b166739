// tools/call of a task tool: a task where the client takes one, else its outcome, with its questions in rounds.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr

import { endOfWatch, invalidParams, RPC, RpcError, toError } from '../errors.js'
import { cancelled, type Incoming, type Reply } from '../link/method.js'
import { persist } from '../tasks/persist.js'
import { isFinal } from '../tasks/status.js'
import type { JsonObject, Outcome, TaskRecord } from '../types.js'
import { type Envelope, isObject, metaOf, needTasks } from './envelope.js'
import { relay } from './forward.js'
import type { ModernHost, ToolFacts } from './host.js'
import { META } from './keys.js'
import { modernOutcome } from './modern-error.js'
import { projectFields, projectQuestions } from './project-task.js'
import { answer, answersIn } from './questions.js'

export async function callTaskTool(
  host: ModernHost,
  tool: ToolFacts,
  request: Incoming,
  envelope: Envelope
): Promise<Reply> {
  const { id, params } = request
  const { name, arguments: args = {}, requestState } = params
  if (typeof name !== 'string' || !isObject(args)) {
    throw invalidParams('Invalid params: name must be a string, and arguments an object')
  }
  if (tool.isRequired) needTasks(envelope)
  const answers = answersIn(params)
  if (requestState !== undefined) {
    const task = await resumed(host, requestState, name, args)
    return rounds(host, request, envelope, { taskId: task.taskId, answers, tool, isRetry: true })
  }
  try {
    await tool.check(args)
  } catch (error) {
    const text = `MCP error ${RPC.invalidParams}: ${toError(error).message}`
    return { result: { content: [{ type: 'text', text }], isError: true } }
  }
  const { task, start, drop } = await tool.create(id, { arguments: args, meta: metaForTool(params), can: envelope.can })
  if (envelope.tasks && !tool.asksFirst) return { result: becameTask(task, tool), sent: start, cancelled: drop }
  start()
  return rounds(host, request, envelope, { taskId: task.taskId, answers, tool, isRetry: false })
}

/** Without the envelope, which is no business of the tool. */
const metaForTool = (params: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(metaOf(params)).filter(([key]) => !key.startsWith('io.modelcontextprotocol/')))

function becameTask(task: TaskRecord, { immediateResponse }: ToolFacts): JsonObject {
  const fields = projectFields(task)
  const more = immediateResponse === undefined ? {} : { [META.immediate]: immediateResponse }
  return { ...fields, _meta: { ...fields._meta, ...more }, resultType: 'task' }
}

/** Names the task, and differs from round to round. */
const stateOf = ({ taskId, messageCount }: TaskRecord): string => `${taskId}.${messageCount}`

/** The task that a state names; -32602 unless it is the owner's, of this tool and these arguments, and came that far. */
async function resumed(host: ModernHost, state: unknown, name: string, args: JsonObject): Promise<TaskRecord> {
  const [, taskId, count] = /^([0-9a-f-]{36})\.(\d{1,9})$/.exec(String(state)) ?? []
  const task = taskId === undefined ? undefined : await host.task(taskId)
  const isRight =
    task !== undefined &&
    task.tool === name &&
    task.messageCount >= Number(count) &&
    isSame(await host.argumentsOf(task.taskId), args)
  if (isRight) return task
  throw invalidParams(
    'Invalid requestState: it belongs to no call of this tool with these arguments. Call the tool without it'
  )
}

/** Equal as JSON, whatever the order of the keys. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [a, b] = [Object.entries(one), Object.entries(other)]
  return a.length === b.length && a.every(([key, value]) => key in other && isSame(value, Reflect.get(other, key)))
}

interface Round {
  taskId: string
  answers: Map<string, JsonObject>
  tool: ToolFacts
  /** It asked before, and nothing more is open: nothing keeps it from being a task. */
  isRetry: boolean
}

/** Waits for the outcome, or for questions that this client can answer. Cancelling the request cancels the task. */
async function rounds(host: ModernHost, request: Incoming, envelope: Envelope, round: Round): Promise<Reply> {
  const { signal } = request
  const { taskId } = round
  const claimant = { connection: host.connection, can: envelope.can }
  const leave = host.wait(taskId, {
    signal,
    looker: () => ({ ...claimant, owner: host.owner, place: 0 }),
    // The watch below ticks for it as well, and sends it with all others.
    show: () => Promise.resolve()
  })
  try {
    return await wait(host, request, envelope, round)
  } catch (error) {
    if (error === cancelled) await host.cancel(taskId)
    throw error
  } finally {
    leave()
  }
}

async function wait(host: ModernHost, request: Incoming, envelope: Envelope, round: Round): Promise<Reply> {
  const { signal } = request
  const { taskId, answers } = round
  const { messages, owner, connection } = host
  const tell = relay(host, request, envelope)
  const dropped = (): Promise<void> => host.cancel(taskId)
  const claimant = { connection, can: envelope.can }
  let place = 0
  for await (const left of host.bus.watch(taskId, signal)) {
    let known = left
    for (let more = true; more; known = undefined) {
      const look = await persist(
        (again) => messages.claim(taskId, owner, claimant, place, again ? undefined : known),
        signal
      )
      if (look === undefined) throw invalidParams(`Task has expired or was deleted: ${taskId}`)
      const { task, outcome } = look
      for (const message of look.messages) {
        place = Math.max(place, message.n)
        if (message.kind === 'notification') tell(message.method, message.params)
      }
      more = look.more
      if (!more) place = task.messageCount
      tellProgress(tell, task, envelope)
      if (isFinal(task.status) && outcome !== undefined && !more) {
        host.fetched(taskId)
        return { result: resultOf(outcome) }
      }
      const open = task.openRequests > 0 ? await messages.open({ taskId }) : []
      const answered = await answer(host, open, answers)
      if (answered === 0) {
        const askable = open.filter(({ needs }) => needs.every((need) => envelope.can.includes(need)))
        if (askable.length > 0) return { result: inputRequired(task, askable), cancelled: dropped }
        if (envelope.tasks && round.isRetry && open.length === 0) {
          return { result: becameTask(task, round.tool), cancelled: dropped }
        }
      }
    }
  }
  throw endOfWatch(signal)
}

function tellProgress(tell: ReturnType<typeof relay>, { progress }: TaskRecord, { progressToken }: Envelope): void {
  if (progress === undefined || progressToken === undefined) return
  tell('notifications/progress', { ...progress, progressToken })
}

const inputRequired = (task: TaskRecord, open: Parameters<typeof projectQuestions>[0]): JsonObject => ({
  resultType: 'input_required',
  inputRequests: projectQuestions(open),
  requestState: stateOf(task)
})

function resultOf(outcome: Outcome): JsonObject {
  const end = modernOutcome(outcome)
  if ('result' in end) return end.result
  const { code, message, data } = end.error
  throw new RpcError(code, message, data)
}
