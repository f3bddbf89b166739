import { expect, test } from 'vitest'
import { portable } from '../../../src/link/json-rpc.js'

const request = { jsonrpc: '2.0', id: 1, method: 'ping' } as const

test('a message that contains itself is told so', () => {
  const params: Record<string, unknown> = {}
  params['again'] = params
  expect(portable({ ...request, params })).toMatchObject({
    id: 1,
    error: { message: expect.stringContaining('contains itself') }
  })
})
