import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { Session } from '../../../src/session/session.js'
import type { IntabEvent, MessageRecord } from '../../../src/types.js'

function newSession(refuse?: Error) {
  const sent: [JSONRPCMessage, TransportSendOptions | undefined][] = []
  const events: IntabEvent[] = []
  const errors: Error[] = []
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: async (message, options) => {
      if (refuse !== undefined) throw refuse
      sent.push([message, options])
    }
  }
  const host = {
    options: {},
    reviewQuestions: () => undefined,
    emit: (event: IntabEvent) => events.push(event),
    onerror: (error: Error) => errors.push(error)
  }
  const leaving = new AbortController()
  const info = { id: 's', connection: 'c', data: undefined }
  return { session: new Session(host, info, 'ann', transport, leaving.signal), sent, events, errors, leaving }
}

const common = { taskId: 't', owner: 'ann', params: {}, enqueuedAt: 0 }
const question: MessageRecord = {
  ...common,
  kind: 'request',
  n: 1,
  method: 'elicitation/create',
  requestId: 'task:t:1',
  key: 'elicit#1',
  needs: [],
  state: 'delivered'
}
const news = (n: number): MessageRecord => ({ ...common, kind: 'notification', n, method: 'example/news' })

describe('a session', () => {
  test('SV-15 sends a message as it is, and says on whose stream', async () => {
    const { session, sent } = newSession()
    const message: JSONRPCMessage = { jsonrpc: '2.0', method: 'example/x', params: { a: { b: [1] } } }
    await session.send(message, 'request-7')
    await session.send(message)
    expect(sent).toEqual([
      [message, { relatedRequestId: 'request-7' }],
      [message, {}]
    ])
  })

  test('tells nothing before its client is ready, nor after it is gone', () => {
    const { session, sent, leaving } = newSession()
    session.tell('example/x', {})
    session.ready = true
    session.tell('example/x', { n: 1 })
    leaving.abort()
    session.tell('example/x', { n: 2 })
    expect(sent.map(([message]) => 'params' in message && message.params)).toEqual([{ n: 1 }])
  })

  test('delivers a notification once, and none that is older than its place', async () => {
    const { session, sent } = newSession()
    session.moveTo('t', 2)
    session.moveTo('t', 1)
    for (const n of [1, 2, 3, 3]) await session.deliver(news(n), 'r')
    expect(sent).toHaveLength(1)
    expect(session.place('t')).toBe(3)
  })

  test('holds a question from before it goes out, and no longer when it does not', async () => {
    const well = newSession()
    await well.session.deliver(question)
    expect([...well.session.held]).toEqual([['task:t:1', 't']])
    expect(well.events.map(({ type }) => type)).toEqual(['claimed', 'delivered'])
    const broken = newSession(new Error('gone'))
    await expect(broken.session.deliver(question)).rejects.toThrow('gone')
    expect(broken.session.held.size).toBe(0)
    expect(broken.events.map(({ type }) => type)).toEqual(['claimed'])
  })

  test('reports a notification that nobody took, unless the client is gone', async () => {
    const { session, errors, leaving } = newSession(new Error('odd'))
    session.ready = true
    session.tell('example/x', {})
    await expect.poll(() => errors.length).toBe(1)
    session.tell('example/x', {})
    leaving.abort()
    await new Promise((resolve) => setImmediate(resolve))
    expect(errors).toHaveLength(1)
  })
})
