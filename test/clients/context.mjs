/**
 * What a client's script is given.
 * @typedef {object} Context
 * @property {string} url of the server
 * @property {string} modules the node_modules of the script's packages
 * @property {string} node a Node of version 22 or later
 * @property {(what: string) => void} passed tells that something worked
 */

const meta = 'io.modelcontextprotocol/'

export const revision = '2026-07-28'

/**
 * Sends one request of 2026-07-28, whose metadata is in its `_meta`, and resolves with the response.
 * @param {string} url
 * @param {{ id: unknown, method: string, params: { name?: string, taskId?: string, _meta?: object } }} request
 * @param {AbortSignal} [signal]
 */
export async function post(url, request, signal) {
  const { name, taskId } = request.params
  const named = request.method === 'tools/call' ? name : taskId
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': revision,
      'Mcp-Method': request.method,
      ...(named !== undefined && { 'Mcp-Name': named })
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...request }),
    signal: signal ?? null
  })
  const text = await response.text()
  const messages = text.startsWith('{') ? [text] : [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data)
  return messages.map((message) => JSON.parse(message ?? '')).find(({ id }) => id === request.id)
}

/**
 * The metadata of a request of a client that takes tasks.
 * @param {object} capabilities
 */
export const metaOf = (capabilities) => ({
  [`${meta}protocolVersion`]: revision,
  [`${meta}clientInfo`]: { name: 'poller', version: '1.0.0' },
  [`${meta}clientCapabilities`]: { ...capabilities, extensions: { [`${meta}tasks`]: {} } }
})
