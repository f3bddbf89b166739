import { ErrorCode, McpError, UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { IntabError, isProtocolError, RpcError, toError, toErrorObject } from '../../src/errors.js'
import { fromWireError, toWireError } from '../../src/link/wire-error.js'
import { endOfThrow } from '../../src/tasks/outcome.js'

/** As another copy of the SDK or of intab has it. */
function foreign(name: string, code: number, message: string): Error {
  return Object.assign(new Error(message), { name, code })
}

class Denied extends McpError {
  constructor() {
    super(-32_050, 'denied')
    this.name = 'Denied'
  }
}

describe('R9 an error of the protocol', () => {
  test.each<[what: string, thrown: Error, code: number, message: string]>([
    ['an RpcError', new RpcError(-32002, 'gone'), -32002, 'gone'],
    ["another copy's RpcError", foreign('RpcError', -32002, 'gone'), -32002, 'gone'],
    ['an McpError', new McpError(-32002, 'gone'), -32002, 'gone'],
    ["another copy's McpError", foreign('McpError', -32002, 'MCP error -32002: gone'), -32002, 'gone'],
    ['an McpError that came from a server', new McpError(-32002, 'MCP error -32002: gone'), -32002, 'gone'],
    ['a class of its own', new Denied(), -32_050, 'denied'],
    ['one with data', new UrlElicitationRequiredError([], 'go there'), ErrorCode.UrlElicitationRequired, 'go there']
  ])('%s keeps its code, and its text without a prefix', (_, thrown, code, message) => {
    expect(toErrorObject(thrown)).toMatchObject({ code, message })
    expect(endOfThrow(thrown)).toMatchObject({ outcome: { error: { code, message } }, statusMessage: message })
    expect(fromWireError(toWireError(thrown))).toMatchObject({ name: 'RpcError', code, message })
  })
})

describe('R9 any other error is the text of a tool that failed, whatever its code', () => {
  test.each<[what: string, thrown: unknown]>([
    ['a timeout of the platform', new DOMException('timed out', 'TimeoutError')],
    ['an aborted fetch', new DOMException('aborted', 'AbortError')],
    ["a library's own code", Object.assign(new Error('exit'), { code: 1 })],
    ['an error of Node', Object.assign(new Error('no entry'), { code: 'ENOENT', errno: -2 })],
    ['an object', { code: -32602, message: 'not an error' }],
    ['an IntabError', new IntabError('not_json', 'bad')]
  ])('%s', (_, thrown) => {
    expect(isProtocolError(thrown)).toBe(false)
    expect(endOfThrow(thrown).outcome).toMatchObject({ result: { isError: true } })
    expect(toErrorObject(thrown).code).toBeLessThan(-31_000)
  })
})

test('an error without a message is told by its name, and keeps what else it says', () => {
  const nameless = new DOMException('', 'UnknownError')
  expect(toError(nameless)).toMatchObject({
    name: 'UnknownError',
    message: 'UnknownError without a message',
    cause: nameless
  })
  expect(toErrorObject(nameless)).toEqual({ code: -32603, message: 'UnknownError without a message' })
  const refused = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })
  expect(toError(refused)).toMatchObject({ message: 'AggregateError without a message', code: 'ECONNREFUSED' })
  expect(toError('').message).toBe('An empty string was thrown')
  const said = new Error('said')
  expect(toError(said)).toBe(said)
})
