// What devtools ask of a worker: how it is and what it holds for the owner, its log since they last asked, and its end.

import * as z from 'zod'
import { methodNotFound, RPC, RpcError } from '../errors.js'
import { afterTurn } from '../link/turn.js'
import type { JsonObject } from '../types.js'
import type { Method, Reply } from './dispatcher.js'
import type { Hub } from './hub.js'
import { Log } from './log.js'
import { parseParams } from './parse-params.js'
import type { Session } from './session.js'

const reading = z.object({ log: z.array(z.enum(['events', 'console'])).optional(), storage: z.boolean().optional() })

export function workerMethods(hub: Hub, session: Session): [string, Method][] {
  const { worker, executor, options, sessions, locks } = hub
  const { owner, connection, signal } = session
  // What is the worker's alone, such as its console and its end, is nobody's where it serves several owners.
  const isShared = options.owner !== undefined
  const log = new Log(hub, owner, { isShared, signal })

  const show = ({ id, connection: its, ready, watches, can, held }: Session): JsonObject => ({
    session: id,
    connection: its,
    here: its === connection,
    ready,
    watches,
    can: [...can],
    questions: held.size
  })

  const census = async (): Promise<JsonObject> => {
    const { next, ...use } = (await hub.census?.(owner)) ?? { next: [] }
    return { ...use, next: next.map(({ taskId, tool, expiresAt = 0 }) => ({ taskId, tool, expiresAt })) }
  }

  const read = async (params: JsonObject): Promise<Reply> => {
    const { log: kinds = [], storage = false } = parseParams(reading, params)
    const [workers, stored] = await Promise.all([
      locks.held(executor.slice(0, -worker.length)),
      storage ? census() : undefined
    ])
    const own = [...sessions].filter((other) => other.owner === owner)
    const result = {
      name: options.name,
      version: options.version,
      worker,
      lock: executor,
      since: hub.since,
      workers,
      connections: sessions.size,
      sessions: own.map(show),
      waiters: hub.waiters.count(owner),
      runs: hub.runner.size,
      isShared,
      log: log.read(kinds)
    }
    return { result: stored === undefined ? result : { ...result, storage: stored } }
  }

  const stop = async (): Promise<Reply> => {
    const scope: { close?: () => void } = globalThis
    if (isShared) throw methodNotFound('A worker that serves several owners is ended by none of them')
    if (scope.close === undefined || 'document' in scope || (options.scope ?? scope) !== scope) {
      throw new RpcError(RPC.methodNotFound, 'This server does not run in a worker of its own: end its page or process')
    }
    return { result: {}, sent: () => afterTurn(() => scope.close?.()) }
  }

  return [
    ['intab/worker/read', { answer: ({ params }) => read(params) }],
    ['intab/worker/stop', { answer: stop }]
  ]
}
