// A session as the era of 2026-07-28 sees it: what it must know of the connection, the worker and the SDK's server.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { invalidParams, methodNotFound, RPC } from '../errors.js'
import type { Forwarding, ModernHost } from '../modern/host.js'
import { MODERN } from '../modern/keys.js'
import { legacyVersions } from '../protocol/requests.js'
import { cancelledEnd } from '../tasks/outcome.js'
import type { Capability, JsonObject } from '../types.js'
import { type Call, create, mayHaveRun, toolOfCall } from './call-tool.js'
import { checkAnswer } from './check-answer.js'
import type { Method } from './dispatcher.js'
import { type Hub, ownTask } from './hub.js'
import { byRequest, showQuestion } from './owner-methods.js'
import type { InnerServer } from './inner-server.js'
import { serverInfo } from './options.js'
import { parseParams } from './parse-params.js'
import type { Session } from './session.js'
import type { SessionTransport } from './session-transport.js'

interface Legacy {
  server: InnerServer
  /** What the session answers by itself, by method. */
  methods: ReadonlyMap<string, Method>
  toolNames(): Promise<Set<string>>
}

export function modernHost(
  hub: Hub,
  session: Session,
  wire: SessionTransport,
  { server, methods, toolNames }: Legacy
): ModernHost {
  const listeners = new Set<(method: string, params: JsonObject) => void>()
  wire.onunasked = (message) => {
    if (!('method' in message)) return false
    if ('id' in message) return session.initialized ? false : refuse(wire, message)
    for (const listener of listeners) listener(message.method, (message.params ?? {}) as JsonObject)
    // A client that was never initialized hears what it listens to, and nothing else.
    return !session.initialized
  }

  const take = async (params: JsonObject, can: readonly Capability[]): Promise<JsonObject> => {
    const { requestId } = parseParams(byRequest, params)
    const taken = await hub.messages.take(requestId, session.owner, { connection: session.connection, can })
    if (taken === undefined) throw invalidParams(`No open question ${requestId} that this client could answer`)
    return showQuestion(session, taken)
  }

  return {
    serverInfo: serverInfo(hub.options) as unknown as JsonObject,
    instructions: hub.options.instructions,
    versions: [MODERN, ...legacyVersions],
    owner: session.owner,
    connection: session.connection,
    messages: { ...hub.messages, open: async (of) => (await hub.messages.open(of)).filter(({ lent }) => !lent) },
    bus: hub.bus,
    signal: session.signal,
    capabilities: () => server.capabilities(),
    async tool(name, meta, signal) {
      const tool = await toolOfCall(hub, session, name, meta, toolNames, signal)
      if (tool === undefined) return undefined
      const { taskSupport, immediateResponse, asksFirst = false } = tool.config
      return {
        isRequired: taskSupport === 'required',
        asksFirst,
        immediateResponse,
        check: async (args) => tool.check(args),
        create(id, { arguments: args, meta: _meta, can }) {
          const ttl = _meta['intab/ttl']
          const call: Call = { name, arguments: args, _meta, ...(typeof ttl === 'number' && { task: { ttl } }) }
          return create(hub, session, { id }, call, tool, [...can])
        }
      }
    },
    task: (taskId) => ownTask(hub, session.owner, taskId),
    owned: (taskIds) => hub.tasks.owned(session.owner, taskIds),
    argumentsOf: async (taskId) => (await hub.tasks.call(taskId))?.arguments,
    cancel: (taskId) => hub.endTask(taskId, cancelledEnd),
    wait: (taskId, waiter) => hub.waiters.add(taskId, waiter),
    checkAnswer: (request, result) => checkAnswer(request, { result }, hub.limits.bytes),
    refuse: ({ requestId }, why) => hub.messages.refuse(requestId, session.owner, session.connection, why),
    answered: ({ taskId, requestId }) =>
      hub.emit({ type: 'answered', taskId, requestId, connection: session.connection }),
    fetched: (taskId) => hub.fetched(taskId),
    async ask(method, params, forwarding) {
      const own = method === 'tools/list' ? methods.get(method) : undefined
      if (own?.mine?.(params)) return (await own.answer({ id: 0, params, signal: forwarding.signal })).result
      const isRetry = (params._meta as JsonObject | undefined)?.['intab/retry'] === true
      if (method === 'tools/call' && isRetry && typeof params.name === 'string') throw mayHaveRun(params.name)
      const heard = (message: JSONRPCMessage): void => hear(wire, message, forwarding)
      const result = await wire.probe(method, params, { signal: forwarding.signal, onmessage: heard })
      return result as JsonObject
    },
    send: (message, id) => session.send(message, id),
    onserver(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    own(method, params, can) {
      if (!method.startsWith('intab/')) return undefined
      if (method === 'intab/questions/take') return take(params, can)
      const legacy = methods.get(method === 'intab/tasks/list' ? 'tasks/list' : method)
      if (legacy === undefined || method === 'intab/watch') throw methodNotFound(`Method not found: ${method}`)
      return legacy.answer({ id: 0, params, signal: session.signal }).then(({ result }) => result)
    },
    onerror: (error, during) => hub.onerror(error, during)
  }
}

function hear(wire: SessionTransport, message: JSONRPCMessage, { onnotification }: Forwarding): void {
  if (!('method' in message)) return
  if ('id' in message) refuse(wire, message)
  else onnotification(message.method, (message.params ?? {}) as JsonObject)
}

/** A server has no requests of its own in this revision; the handler that asks hears so at once. */
function refuse(
  wire: SessionTransport,
  { id, method }: Extract<JSONRPCMessage, { method: string; id: unknown }>
): true {
  const message = `A client of ${MODERN} cannot be sent ${method} from here: ask in a task tool`
  wire.onmessage?.({ jsonrpc: '2.0', id, error: { code: RPC.methodNotFound, message } })
  return true
}
