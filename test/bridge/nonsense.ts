// Texts that are no messages, and the code of their refusal.

import type { RequestId } from '@modelcontextprotocol/sdk/types.js'

export interface Nonsense {
  text: string
  code: number
  /** Of the refusal. */
  id: RequestId | null
}

export const notJson: Nonsense[] = ['{', '{"a":', 'hello', '[1,', '{"jsonrpc":"2.0",}', '\u0000'].map((text) => ({
  text,
  code: -32700,
  id: null
}))

const ping = { jsonrpc: '2.0', id: 'n', method: 'ping' }

export const invalidTexts: Nonsense[] = (
  [
    [1, null],
    ['text', null],
    [null, null],
    [[], null],
    [[ping], null],
    [{}, null],
    [{ id: 'n', method: 'ping' }, 'n'],
    [{ ...ping, jsonrpc: 2 }, 'n'],
    [{ ...ping, id: null }, null],
    [{ ...ping, id: [1] }, null],
    [{ ...ping, id: 1.5 }, null],
    [{ ...ping, method: {} }, 'n'],
    [{ ...ping, params: [] }, 'n'],
    [{ ...ping, params: 7 }, 'n'],
    [{ ...ping, extra: true }, 'n'],
    [{ jsonrpc: '2.0', method: 'ping', params: 1 }, null],
    [{ jsonrpc: '2.0', id: 'n', result: 1 }, null],
    [{ jsonrpc: '2.0', id: 'n', error: [] }, null]
  ] satisfies [unknown, RequestId | null][]
).map(([value, id]) => ({ text: JSON.stringify(value), code: -32600, id }))

/** A call with arguments of a depth, as text: an object of it can be too deep to be written. */
export const deepText = (id: RequestId, depth: number): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"echo","arguments":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}}`
