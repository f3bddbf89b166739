// The tools of a worker on servers: any number of processes over one PostgreSQL, behind any load balancer.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { IntabError } from '../errors.js'
import { everybody } from '../ids.js'
import { isModernPost } from '../http/modern-http.js'
import type { ServeOptions } from '../session/options.js'
import { checkKeys, invalid, shown } from '../tool/check-options.js'
import { handlerOf } from './handler.js'
import { ModernOwners } from './modern-owners.js'
import { Sessions } from './sessions.js'
import { start } from './start.js'

/** Options of `serveOnDbos`: those of `serve` that are no matter of the browser, and its own. */
export interface DbosOptions extends Pick<
  ServeOptions,
  | 'name'
  | 'version'
  | 'title'
  | 'icons'
  | 'websiteUrl'
  | 'instructions'
  | 'tools'
  | 'setup'
  | 'ttl'
  | 'limits'
  | 'deliveryGrace'
  | 'onevent'
> {
  /** Of PostgreSQL: `postgres://user:password@host:port/database`. */
  databaseUrl: string
  /** The schema of intab's tables, beside DBOS's own. Default `intab`. */
  schema?: string
  /** Connections to PostgreSQL that this process may open for tasks, and as many again for DBOS, besides one that listens. Default 10. */
  connections?: number
  /**
   * Whose tasks a request sees: what its verified token says, at most 1,000 characters. Undefined is answered with 401.
   * Required unless `anonymous` is chosen.
   */
  owner?(request: Request): string | undefined | Promise<string | undefined>
  /** Every request belongs to one owner, whoever sends it. Default false. */
  anonymous?: boolean
  /** Origins of web pages that may send requests; others get 403. Default: none. */
  origins?: readonly string[]
}

/** Returned by `serveOnDbos`. */
export interface DbosServer {
  /** Answers Streamable HTTP, whatever the path: `createServer(server.handler)`, or a route of a framework whose body nobody has read. */
  handler(request: IncomingMessage, response: ServerResponse): void
  /** Stops serving. Tasks that run here are left to the other processes. */
  close(): Promise<void>
}

const known: Record<keyof DbosOptions, true> = {
  name: true,
  version: true,
  title: true,
  icons: true,
  websiteUrl: true,
  instructions: true,
  tools: true,
  setup: true,
  ttl: true,
  limits: true,
  deliveryGrace: true,
  onevent: true,
  databaseUrl: true,
  schema: true,
  connections: true,
  owner: true,
  anonymous: true,
  origins: true
}

/** Throws `invalid_options` for what `serve` has no like of; the rest is checked as its own. */
function check(options: DbosOptions): void {
  checkKeys('serveOnDbos()', options, known)
  const { databaseUrl, connections = 10, owner, anonymous = false } = options
  if (typeof databaseUrl !== 'string' || !/^postgres(ql)?:/.test(databaseUrl)) {
    throw invalid(
      `serveOnDbos(): databaseUrl is ${shown(databaseUrl)}: give postgres://user:password@host:port/database`
    )
  }
  if (!Number.isInteger(connections) || connections < 2) {
    throw invalid(`serveOnDbos(): connections is ${shown(connections)}: give an integer from 2 on`)
  }
  if (owner !== undefined && typeof owner !== 'function') {
    throw invalid(`serveOnDbos(): owner is ${shown(owner)}, not a function`)
  }
  if ((owner === undefined) === !anonymous) {
    throw invalid(
      'serveOnDbos() needs owner(request), which tells whose token a request carries, or anonymous: true, and not both'
    )
  }
  if (DBOS.isInitialized()) {
    throw invalid('DBOS is launched already: serveOnDbos() launches it, once in a process')
  }
}

/**
 * Serves task tools over Streamable HTTP, MCP 2025-11-25 and 2026-07-28, from this process and any others with the same database and tools.
 * Each task is a workflow of DBOS, which this call launches. Every process answers every request; when one dies, the others
 * take over its tasks.
 *
 * Rejects with what PostgreSQL says when it cannot be reached.
 *
 * @throws {IntabError} `invalid_options` without `owner` or `anonymous`, or when DBOS is launched already; `duplicate_tool`.
 */
export async function serveOnDbos(options: DbosOptions): Promise<DbosServer> {
  check(options)
  const { databaseUrl, schema = 'intab', connections = 10, owner, anonymous = false, origins = [], ...shared } = options
  const serving: ServeOptions = { ...shared, owner: ({ data }) => data as string }
  let sessions: Sessions | undefined
  const started = await start(serving, {
    url: databaseUrl,
    schema,
    connections,
    onpost: (kind, data) => {
      // While this process starts, it has no session that could concern it.
      if (kind === 'session') sessions?.hear(data as Parameters<Sessions['hear']>[0])
    }
  })
  const own = (sessions = new Sessions(started))
  const modern = new ModernOwners(started.hub)
  const ownerOf = anonymous ? () => everybody : owner
  return {
    handler: handlerOf({
      origins,
      owner: async (request) => ownerOf?.(request),
      answer: (incoming, who) =>
        isModernPost(incoming.request.headers, incoming.message)
          ? modern.handle(incoming, who)
          : own.handle(incoming, who),
      onerror: (error) => started.hub.onerror(error, 'answering a request')
    }),
    async close() {
      await Promise.all([modern.close(new IntabError('closed', 'The server was closed')), own.close()])
      await started.close()
    }
  }
}
