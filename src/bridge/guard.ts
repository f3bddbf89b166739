// A web page can reach 127.0.0.1 under a name of its own: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning

import type { IncomingMessage } from 'node:http'

const local = new Set(['localhost', '127.0.0.1', '[::1]'])

function hostnameOf(url: string): string | undefined {
  try {
    return new URL(url).hostname
  } catch {
    return undefined
  }
}

/** Why a request is refused; undefined when it comes from this machine and means it. */
export function refusal({ headers: { host, origin } }: IncomingMessage): string | undefined {
  if (host === undefined || !local.has(hostnameOf(`http://${host}`) ?? '')) return `Host ${host} is not allowed`
  if (origin !== undefined && !local.has(hostnameOf(origin) ?? '')) return `Origin ${origin} is not allowed`
  return undefined
}

/** What lets a page of this machine, such as the Inspector's, read the answers. */
export const corsHeaders = ({ headers: { origin } }: IncomingMessage): Record<string, string> =>
  origin === undefined
    ? {}
    : {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': 'GET, POST, DELETE',
        'Access-Control-Allow-Headers':
          'Accept, Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name',
        'Access-Control-Expose-Headers': 'Mcp-Session-Id',
        Vary: 'Origin'
      }
