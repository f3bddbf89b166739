import { describe, expect, test } from 'vitest'
import { readFrame } from '../../../src/http/frame.js'

const read = (text: string) => readFrame(Buffer.from(text))
const request = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('a message', () => {
  test.each([
    ['a request', request],
    ['a request with a text as its id', { ...request, id: 'a' }],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a result', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }]
  ])('%s is taken as it is', (_, message) => {
    expect(read(JSON.stringify(message))).toEqual({ message })
    expect(read(`\uFEFF${JSON.stringify(message)}\r`)).toEqual({ message })
  })
})

describe('what is not JSON', () => {
  test.each(['{', '', 'hello', '{"jsonrpc":"2.0","id":1', "{'a':1}", '[1,]'])('%j is a parse error', (text) => {
    expect(read(text)).toMatchObject({ refusal: { id: null, error: { code: -32700 } } })
  })

  test('bytes that are not UTF-8 are a parse error', () => {
    expect(readFrame(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ refusal: { id: null, error: { code: -32700 } } })
  })
})

describe('what is JSON and no message', () => {
  const cases: [value: unknown, id: unknown, says: string][] = [
    [1, null, 'a message must be an object (got 1)'],
    [null, null, 'got null'],
    [[], null, 'no batches'],
    [[request], null, 'no batches'],
    [{ id: 1, method: 'ping' }, 1, 'jsonrpc must be "2.0" (got nothing)'],
    [{ ...request, jsonrpc: '1.0' }, 1, 'got "1.0"'],
    [{ ...request, id: null }, null, 'id must be a string or an integer (got null)'],
    [{ ...request, id: 1.5 }, null, 'got 1.5'],
    [{ ...request, id: {} }, null, 'got an object'],
    [{ ...request, method: 1 }, 1, 'method must be a string (got 1)'],
    [{ jsonrpc: '2.0', id: 1 }, 1, 'either method, result or error (got none)'],
    [{ ...request, result: {} }, null, '(got method and result)'],
    [{ ...request, params: [] }, 1, 'params must be an object (got an array)'],
    [{ ...request, params: 'x'.repeat(100) }, 1, '…'],
    [{ ...request, params: { _meta: 1 } }, 1, 'params._meta'],
    [{ ...request, more: 1 }, 1, '"more" is not a member of a message'],
    [{ jsonrpc: '2.0', id: 1, result: 1 }, null, 'a result must have an id, and be an object (got 1)'],
    [
      { jsonrpc: '2.0', id: 1, error: 'no' },
      null,
      'error must be an object with an integer code and a message (got "no")'
    ]
  ]
  test.each(cases)('%j is an invalid request', (value, id, says) => {
    const { refusal } = read(JSON.stringify(value)) as { refusal: { id: unknown; error: { message: string } } }
    expect(refusal).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32600 } })
    expect(refusal.error.message).toContain(says)
  })
})
