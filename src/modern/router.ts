// MCP 2026-07-28, one message at a time: the era is chosen by each message, on the same connection as the other.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning

import { invalidParams, methodNotFound, RpcError } from '../errors.js'
import type { Incoming, Method, Reply } from '../link/method.js'
import type { JsonObject } from '../types.js'
import { callTaskTool } from './call-tool.js'
import { type Envelope, isModern, isObject, metaOf, readEnvelope } from './envelope.js'
import { forward, uncached } from './forward.js'
import type { ModernHost } from './host.js'
import { META, TASKS } from './keys.js'
import { listen } from './listen.js'
import { toModernError } from './modern-error.js'
import { taskMethods } from './task-methods.js'

/** Methods of earlier revisions that this one no longer has. */
const removed =
  /^(initialize|ping|logging\/setLevel|resources\/(un)?subscribe|tasks\/(result|list)|(sampling|elicitation|roots)\/.*)$/

/** The method that answers a request of this revision; undefined for a request of an earlier one. */
export function modernMethod(host: ModernHost, method: string, params: unknown): Method | undefined {
  if (!isModern(method, params)) return undefined
  return {
    async answer(request) {
      try {
        if (!isObject(request.params)) throw invalidParams('Invalid params: params must be an object')
        const envelope = readEnvelope(request.params, host.versions)
        const reply = await answer(host, method, request, envelope)
        return { ...reply, result: stamped(host, reply.result) }
      } catch (error) {
        if (request.signal.aborted) throw error
        const { code, message, data } = toModernError(error)
        throw new RpcError(code, message, data)
      }
    }
  }
}

function stamped({ serverInfo }: ModernHost, result: JsonObject): JsonObject {
  const meta = isObject(result._meta) ? result._meta : {}
  return { resultType: 'complete', ...result, _meta: { ...meta, [META.server]: serverInfo } }
}

async function answer(host: ModernHost, method: string, request: Incoming, envelope: Envelope): Promise<Reply> {
  const { params } = request
  const task = taskMethods.get(method)
  if (task !== undefined) return { result: await task(host, params, envelope) }
  if (method === 'server/discover') return { result: discovered(host) }
  if (method === 'subscriptions/listen') return listen(host, request, envelope)
  if (removed.test(method)) throw methodNotFound(`Method not found: ${method}`)
  const own = host.own(method, params, envelope.can)
  if (own !== undefined) return { result: await own }
  const tool =
    method === 'tools/call' && typeof params.name === 'string'
      ? await host.tool(params.name, metaOf(params), request.signal)
      : undefined
  if (tool !== undefined) return callTaskTool(host, tool, request, envelope)
  return { result: await forward(host, method, request, envelope) }
}

/** https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
function discovered(host: ModernHost): JsonObject {
  const { tasks: _, ...capabilities } = host.capabilities()
  const extensions = isObject(capabilities.extensions) ? capabilities.extensions : {}
  return {
    supportedVersions: [...host.versions],
    capabilities: { ...capabilities, extensions: { ...extensions, [TASKS]: {} } },
    ...(host.instructions !== undefined && { instructions: host.instructions }),
    ...uncached
  }
}
