// Puts a session and a server of its own on a connection.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../errors.js'
import { everybody, taskIdOf } from '../ids.js'
import { LEND } from '../lend/lend.js'
import { messageLimit } from './border.js'
import { callTool } from './call-tool.js'
import { capabilitiesOf } from './capabilities.js'
import { Dispatcher } from './dispatcher.js'
import { GenerationIds } from './generation-ids.js'
import type { Hub } from './hub.js'
import { workerMethods } from './worker-methods.js'
import { isModern, isObject } from '../modern/envelope.js'
import { modernMethod } from '../modern/router.js'
import { lend } from './lent-tools.js'
import { listTools } from './list-tools.js'
import type { SessionInfo } from './options.js'
import { modernHost } from './modern-host.js'
import { OwnServer } from './own-server.js'
import { ownerMethods } from './owner-methods.js'
import { type AnswerableTransport, Session } from './session.js'
import { SessionTransport } from './session-transport.js'
import { takeAnswer } from './take-answer.js'
import { taskMethods } from './task-methods.js'

export interface Opening {
  info: SessionInfo
  transport: AnswerableTransport
  /** Ids of the questions that the page holds. */
  holding: readonly string[]
  /** Aborts when the connection ends. */
  signal: AbortSignal
}

/** Resolves with the session once its server listens. */
export async function openSession(hub: Hub, opening: Opening): Promise<Session> {
  const { info, transport, holding, signal } = opening
  const owner = (await hub.options.owner?.(info)) ?? everybody
  const session = new Session(hub, info, owner, transport, signal)
  hub.joined(session.connection)
  const [server] = await Promise.all([
    hub.options.setup?.open(hub, info) ?? new OwnServer(hub),
    hub.messages.giveBack(session.connection, { except: holding })
  ])
  session.server = server
  if (signal.aborted) {
    // The page has left meanwhile, and a listener would not hear of it any more.
    leave(hub, session)
    throw signal.reason
  }

  const intercept = (message: JSONRPCMessage): boolean => {
    learn(hub, session, message)
    return dispatcher.intercept(message)
  }
  const limit = messageLimit(hub.limits.bytes)
  const wire = new SessionTransport(transport, new GenerationIds(hub.worker), intercept, limit)
  const toolNames = async (): Promise<Set<string>> => {
    const tools = await ownTools(wire)
    return new Set(tools.map(({ name }) => name))
  }
  const lists = listTools(hub, session, () => ownTools(wire))
  const methods = new Map([
    ...taskMethods(hub, session),
    ...ownerMethods(hub, session),
    ...workerMethods(hub, session),
    ['tools/call', callTool(hub, session, toolNames)] as const,
    ['tools/list', lists] as const,
    ...(hub.noTab ? [] : [[LEND, lend(hub, session, toolNames)] as const])
  ])
  const modern = modernHost(hub, session, wire, { server, methods, toolNames })
  const dispatcher = new Dispatcher(
    (method, params) => modernMethod(modern, method, params) ?? methods.get(method),
    (message, id, onposted) => session.send(message, id, onposted),
    { signal, limit: hub.limits.operations }
  )
  // A cancellation is acknowledged once it is done: should the worker die first, the page repeats it to the next.
  transport.take = (message) => dispatcher.cancel(message) ?? takeAnswer(hub, session, message)
  server.onerror = (error) => {
    if (!signal.aborted) hub.onerror(error, `session ${session.id}`)
  }

  for (const requestId of holding) session.held.set(requestId, taskIdOf(requestId))
  hub.sessions.add(session)
  signal.addEventListener('abort', () => close(hub, session), { once: true })
  await server.connect(wire)
  hub.emit({ type: 'opened', session: session.id, connection: session.connection })
  return session
}

/** The tools that the worker has itself. */
async function ownTools(wire: SessionTransport): Promise<{ name: string }[]> {
  const { tools } = (await wire.probe('tools/list')) as { tools?: { name: string }[] }
  return tools ?? []
}

/** The capabilities come with `initialize`; notifications may go out from `notifications/initialized` on. */
function learn(hub: Hub, session: Session, message: JSONRPCMessage): void {
  if (!('method' in message)) return
  if (isModern(message.method, message.params)) return
  if (isAboutTasks(message)) session.hearsOfTasks = true
  if (message.method === 'initialize') {
    session.initialized = true
    const { capabilities } = (isObject(message.params) ? message.params : {}) as { capabilities?: unknown }
    session.can = capabilitiesOf(capabilities)
    if (isObject(capabilities) && capabilities.tasks !== undefined) session.hearsOfTasks = true
  } else if (message.method === 'notifications/initialized' && !session.ready) {
    session.ready = true
    // It may be the one who can answer what waits, or hold what is settled.
    hub.reviewQuestions()
  }
}

/** Whoever asks for a task, or after one, knows what to make of its notifications; others report them as errors. */
export const isAboutTasks = ({ method, params }: { method: string; params?: unknown }): boolean =>
  /^(tasks|intab)\//.test(method) || (method === 'tools/call' && isObject(params) && 'task' in params)

function close(hub: Hub, session: Session): void {
  // Whoever hears of it may ask whose connection it was.
  hub.emit({ type: 'closed', session: session.id, connection: session.connection })
  hub.sessions.delete(session)
  hub.lenders.leave(session)
  session.server?.close().catch((error: unknown) => hub.onerror(toError(error), `closing session ${session.id}`))
  leave(hub, session)
}

function leave(hub: Hub, { connection, signal }: Session): void {
  if (!isReplaced(signal.reason)) hub.left(connection)
}

/** The page opened the connection anew, and still shows what it showed. */
const isReplaced = (reason: unknown): boolean => {
  const { data } = (reason ?? {}) as { data?: { replaced?: boolean } }
  return data?.replaced === true
}
