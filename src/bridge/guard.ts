// Which requests are accepted. A web page can reach 127.0.0.1 under a name of its own: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface GuardOptions {
  /** The address that is listened on. */
  host: string
  /** Origins allowed besides those of this machine; `*` for all. */
  origins: readonly string[]
  /** What `Authorization: Bearer` must say; undefined for nothing. */
  token: string | undefined
}

const local = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** True for an address that only this machine reaches. */
export const isLoopback = (host: string): boolean => local.has(host) || /^127(\.\d{1,3}){3}$/.test(host)

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

function hostnameOf(url: string): string {
  try {
    return new URL(url).hostname
  } catch {
    return ''
  }
}

export class Guard {
  readonly #options: GuardOptions

  constructor(options: GuardOptions) {
    this.#options = options
  }

  /** Why a request is refused; undefined when it is accepted. */
  refusal({ method, headers }: IncomingMessage): { status: 401 | 403; message: string } | undefined {
    const { host, origin, authorization } = headers
    // On any other address the token decides.
    if (isLoopback(this.#options.host) && !isLoopback(hostnameOf(`http://${host}`))) {
      return { status: 403, message: `Host ${host} is not allowed: this bridge listens on ${this.#options.host}` }
    }
    if (!this.#allows(origin)) {
      return { status: 403, message: `Origin ${origin} is not allowed: start the bridge with --allow-origin ${origin}` }
    }
    const { token } = this.#options
    // A preflight never has one: https://fetch.spec.whatwg.org/#cors-preflight-fetch
    if (token === undefined || method === 'OPTIONS') return undefined
    const [, given = ''] = /^Bearer +(.*)$/i.exec(authorization ?? '') ?? []
    if (timingSafeEqual(digest(given), digest(token))) return undefined
    return { status: 401, message: 'This bridge needs `Authorization: Bearer` with its token: see --token' }
  }

  /** What lets a page of an allowed origin, such as the Inspector's, read the answers; the same on each of them. */
  corsHeaders({ headers }: IncomingMessage): Record<string, string> {
    const { origin } = headers
    if (origin === undefined || !this.#allows(origin)) return {}
    const asked = headers['access-control-request-headers']
    return {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
      // The origin was checked; what it sends beside is for whoever reads it.
      'Access-Control-Allow-Headers': asked ?? 'Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Session-Id',
      'Access-Control-Expose-Headers': 'Mcp-Session-Id, WWW-Authenticate',
      Vary: 'Origin, Access-Control-Request-Headers'
    }
  }

  #allows(origin: string | undefined): boolean {
    if (origin === undefined) return true
    const { origins } = this.#options
    return isLoopback(hostnameOf(origin)) || origins.includes('*') || origins.includes(origin)
  }
}
