// tools/call of task tools, and any call with `task`. McpServer's own dispatch masks their errors, so they never reach it.

import { IntabError, invalidParams, methodNotFound, RPC, RpcError, toError } from '../errors.js'
import { toolCall } from '../protocol/requests.js'
import { cancelledEnd, endOfRefusal } from '../tasks/outcome.js'
import type { Capability, JsonObject, TaskRecord } from '../types.js'
import { cancelled, type Incoming, type Method, type Reply } from './dispatcher.js'
import type { Hub } from './hub.js'
import { lentBefore, lentTool } from './lent-tools.js'
import { grantTtl } from './options.js'
import { parseParams } from './parse-params.js'
import { IMMEDIATE_RESPONSE, projectTask, RELATED_TASK } from './project-task.js'
import type { Session } from './session.js'
import { outcomeFor } from './task-methods.js'
import { suggestion } from '../tool/check-options.js'
import type { TaskTool } from '../tool/tool.js'
import { isUsualCall } from './usual.js'

export type Call = ReturnType<typeof parseCall>

const parseCall = (params: JsonObject) => parseParams(toolCall(), params)

/** Keys of `_meta` that are no business of the tool. */
const notTheTools = new Set(['progressToken', 'intab/key', 'intab/fresh', 'intab/retry', 'intab/ttl', RELATED_TASK])

function metaForTool(meta: Call['_meta']): JsonObject | undefined {
  const kept = Object.entries(meta ?? {}).filter(([key]) => !notTheTools.has(key))
  return kept.length > 0 ? (Object.fromEntries(kept) as JsonObject) : undefined
}

/** Anything that McpServer would answer with -32603 (its own check of the params) or with an `isError` result. */
function isOurs(hub: Hub, session: Session, params: JsonObject): boolean {
  const call = isUsualCall(params) ? params : toolCall().safeParse(params).data
  if (call === undefined) return true
  if (toolFor(hub, session, call.name) !== undefined) return true
  return call.task !== undefined || call._meta?.['intab/retry'] === true
}

export function callTool(hub: Hub, session: Session, toolNames: () => Promise<Set<string>>): Method {
  return {
    mine: (params) => isOurs(hub, session, params),
    async answer(request) {
      const call = parseCall(request.params)
      const tool = await toolOfCall(hub, session, call.name, call._meta as JsonObject, toolNames, request.signal)
      if (tool !== undefined) return answerTool(hub, session, request, call, tool)
      if (call.task === undefined) {
        throw mayHaveRun(call.name)
      }
      const known = await toolNames()
      if (known.has(call.name))
        throw methodNotFound(
          `Tool ${call.name} does not support task augmentation: call it without \`task\`, as client.callTool() does`
        )
      throw invalidParams(`Tool ${call.name} not found${suggestion(call.name, [...known, ...hub.tools.keys()])}`)
    }
  }
}

export const mayHaveRun = (name: string): RpcError =>
  new RpcError(
    RPC.mayHaveRun,
    `This call was made before and not answered: tool ${name} may have run. Check before you call it again`,
    { code: 'may_have_run' }
  )

/** The worker's own tool of that name, or one that a tab lends. */
export function toolFor(
  { tools, lenders }: Hub,
  { owner }: Pick<Session, 'owner'>,
  name: string
): TaskTool | undefined {
  const own = tools.get(name)
  const lent = own === undefined ? lenders.tool(owner, name) : undefined
  return lent === undefined ? own : lentTool(lent)
}

/** How long a call that was sent again waits for the tab that lends its tool, and comes back as it does; milliseconds. */
const patience = 2000

/**
 * The task tool of a call. Of a call that was made before, the task may be there while the tab that lends its tool is not
 * back yet, or though this worker has the tool no more. No tab can lend a tool under the name of the server's own, so nobody
 * waits for that.
 */
export async function toolOfCall(
  hub: Hub,
  session: Pick<Session, 'owner'>,
  name: string,
  { 'intab/retry': again, 'intab/key': key }: JsonObject = {},
  toolNames: () => Promise<Set<string>>,
  signal: AbortSignal
): Promise<TaskTool | undefined> {
  const { tasks, lenders } = hub
  const { owner } = session
  const here = toolFor(hub, session, name)
  if (here !== undefined) return here
  if (again !== true || typeof key !== 'string') return undefined
  if ((await tasks.keyed(owner, key)) !== undefined) return lentBefore(name)
  if ((await toolNames()).has(name)) return undefined
  const tool = await lenders.expect(owner, name, patience, signal)
  return tool && lentTool(tool)
}

async function answerTool(hub: Hub, session: Session, request: Incoming, call: Call, tool: TaskTool): Promise<Reply> {
  const asTask = call.task !== undefined
  if (!asTask && tool.config.taskSupport === 'required') {
    throw methodNotFound(
      `Tool ${tool.name} requires task augmentation (taskSupport: 'required'): call it with runTask() or agentTools(), or define it with taskSupport: 'optional'`
    )
  }
  const args = (call.arguments ?? {}) as JsonObject
  try {
    await tool.check(args)
  } catch (error) {
    if (asTask) throw error
    // What the SDK answers to a plain call with bad arguments.
    const text = `MCP error ${RPC.invalidParams}: ${toError(error).message}`
    return { result: { content: [{ type: 'text', text }], isError: true } }
  }
  const { task, start, drop } = await create(hub, session, request, call, tool, session.can)
  if (!asTask) {
    start()
    return runPlainly(hub, session, request, task)
  }
  const { immediateResponse } = tool.config
  const meta = immediateResponse === undefined ? {} : { _meta: { [IMMEDIATE_RESPONSE]: immediateResponse } }
  return { result: { task: projectTask(task) as unknown as JsonObject, ...meta }, sent: start, cancelled: drop }
}

/** A task that is stored. Where it is another call's, the one of the call's key, neither does anything. */
interface Created {
  task: TaskRecord
  start(): void
  /** Cancels it: its client cancelled the call, and nobody else has its id. */
  drop(): Promise<void>
}

/** Stores a task for a call of a client that can do this, or finds the one of the call's key. */
export async function create(
  hub: Hub,
  session: Session,
  { id }: Pick<Incoming, 'id'>,
  call: Call,
  tool: TaskTool,
  can: Capability[]
): Promise<Created> {
  const { name, config } = tool
  const key = call._meta?.['intab/key']
  const { progressToken } = call._meta ?? {}
  const meta = metaForTool(call._meta)
  const taskId = crypto.randomUUID()
  hub.runner.reserve(taskId)
  const creating = hub.tasks.create(
    {
      taskId,
      owner: session.owner,
      tool: name,
      arguments: (call.arguments ?? {}) as JsonObject,
      capabilities: can,
      session: session.id,
      connection: session.connection,
      requestId: id,
      ...(progressToken !== undefined && { progressToken }),
      ...(meta !== undefined && { meta }),
      ttl: grantTtl(hub.options.ttl ?? {}, config.ttl, call.task?.ttl),
      pollInterval: config.pollInterval ?? 1000,
      executor: hub.executor,
      ...(typeof key === 'string' && { idempotencyKey: key }),
      ...(!hub.tools.has(name) && { lent: true as const })
    },
    call._meta?.['intab/fresh'] === true
  )
  const stored = await creating.catch((error: unknown) => {
    endLate(hub, taskId, error)
    throw error
  })
  const { task, created } = stored
  if (created) hub.emit({ type: 'created', task })
  else hub.runner.release(taskId)
  // A call that a page repeats to the next worker is the same call.
  const isOwn = created || call._meta?.['intab/retry'] === true
  return {
    task,
    start: () => (created ? hub.runner.start(task, tool, stored.call) : undefined),
    drop: async () => (isOwn ? hub.endTask(task.taskId, cancelledEnd) : undefined)
  }
}

/** A create that timed out may still have been committed, and nobody would run it. */
const endLate = (hub: Hub, taskId: string, error: unknown): void =>
  error instanceof IntabError && error.code === 'storage_busy'
    ? void hub.endTask(taskId, endOfRefusal(error))
    : hub.runner.release(taskId)

/** A plain call of a task tool: the same task, answered on the call's own stream. */
async function runPlainly(hub: Hub, session: Session, request: Incoming, { taskId }: TaskRecord): Promise<Reply> {
  try {
    return await outcomeFor(hub, session, request, taskId)
  } catch (error) {
    if (error === cancelled) await hub.endTask(taskId, cancelledEnd)
    throw error
  }
}
