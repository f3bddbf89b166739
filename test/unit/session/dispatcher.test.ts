import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { Dispatcher, type Method } from '../../../src/session/dispatcher.js'
import { gate } from '../../support/tools.js'
import { turn } from '../../support/turns.js'

type Send = ConstructorParameters<typeof Dispatcher>[1]

const call = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'example/x' })

function dispatch(method: Method, send: Send) {
  const leaving = new AbortController()
  const dispatcher = new Dispatcher(new Map([['example/x', method]]), send, { signal: leaving.signal, limit: 100 })
  return { dispatcher, leaving }
}

describe('what follows a reply', () => {
  const following = (send: Send) => {
    const done: string[] = []
    const method: Method = { answer: async () => ({ result: {}, sent: () => done.push('sent') }) }
    return { done, ...dispatch(method, send) }
  }

  test('happens once it is posted: a frozen page, which takes nothing, holds no task up', async () => {
    const { done, dispatcher } = following((_, __, onposted) => {
      expect(done).toEqual([])
      onposted()
      return new Promise(() => undefined)
    })
    dispatcher.intercept(call(1))
    await turn()
    expect(done).toEqual(['sent'])
  })

  test('happens once, whether the reply is taken, refused or never posted', async () => {
    const takes: Send[] = [
      async (_, __, onposted) => onposted(),
      async (_, __, onposted) => {
        onposted()
        throw new Error('gone')
      },
      () => Promise.reject(new Error('gone'))
    ]
    for (const take of takes) {
      const { done, dispatcher } = following(take)
      dispatcher.intercept(call(1))
      await turn()
      expect(done).toEqual(['sent'])
    }
  })
})

describe('a request', () => {
  test('whose connection ends aborts with the reason, and is not answered', async () => {
    const answered = gate()
    const reasons: unknown[] = []
    const sent: JSONRPCMessage[] = []
    const method: Method = {
      answer: async ({ signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason))
        await answered.opened
        return { result: {} }
      }
    }
    const { dispatcher, leaving } = dispatch(method, async (message) => void sent.push(message))
    dispatcher.intercept(call(1))
    const why = new Error('left')
    leaving.abort(why)
    answered.open()
    await turn()
    expect([reasons, sent]).toEqual([[why], []])
  })

  test('that belongs to the SDK goes on to it, and so does the cancellation of one', () => {
    const { dispatcher } = dispatch(
      { mine: () => false, answer: () => Promise.reject(new Error('no')) },
      async () => undefined
    )
    expect(dispatcher.intercept(call(1))).toBe(false)
    const params = { requestId: 1 }
    expect(dispatcher.intercept({ jsonrpc: '2.0', method: 'notifications/cancelled', params })).toBe(false)
    expect(dispatcher.intercept({ jsonrpc: '2.0', id: 2, method: 'prompts/list' })).toBe(false)
    expect(dispatcher.intercept({ jsonrpc: '2.0', id: 3, result: {} })).toBe(false)
  })
})
