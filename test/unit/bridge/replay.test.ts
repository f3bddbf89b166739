import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { type Replay, ReplayBudget } from '../../../src/bridge/replay.js'

const log = (data: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data }
})
const answer = (id: number, text = ''): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: { text } })
const question = (id: string): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'elicitation/create' })
const priming = {} as JSONRPCMessage
const large = 'x'.repeat(1000)

const textsAfter = (replay: Replay, eventId: string): string[] => replay.after(eventId).map(([, text]) => text)

test('what came after an event on its stream comes again, and a priming event says nothing', async () => {
  const replay = new ReplayBudget(10_000).open()
  const first = await replay.storeEvent('a', priming)
  await replay.storeEvent('b', log('other'))
  const second = await replay.storeEvent('a', log('one'))
  await replay.storeEvent('a', log('two'))
  expect(textsAfter(replay, first)).toEqual([log('one'), log('two')].map((message) => JSON.stringify(message)))
  expect(textsAfter(replay, second)).toHaveLength(1)
})

test('the stream of a request is over with its answer; that of a GET never', async () => {
  const replay = new ReplayBudget(10_000).open()
  const primed = await replay.storeEvent('a', priming)
  expect(replay.streamOf(primed)).toEqual({ stream: 'a', isGet: false, open: true })
  await replay.storeEvent('a', answer(1))
  expect(replay.streamOf(primed)).toMatchObject({ open: false })
  expect(replay.streamOf('_GET_stream_7')).toMatchObject({ isGet: true, open: true })
  expect(replay.streamOf('unknown_7')).toMatchObject({ open: false })
  expect(replay.streamOf('nonsense')).toBeUndefined()
})

test('G14 more than 64 MiB kept for Last-Event-ID in all sessions: 120 answers of 4 MiB stay within the budget, and a lost one is an error that says so', async () => {
  const budget = 16 * 1024 * 1024
  const replay = new ReplayBudget(budget).open()
  const text = 'x'.repeat(4 * 1024 * 1024)
  const primed = await replay.storeEvent('s0', priming)
  for (let id = 0; id < 120; id += 1) await replay.storeEvent(`s${id}`, answer(id, text))
  expect(replay.bytes).toBeLessThanOrEqual(budget)
  expect(JSON.parse(String(textsAfter(replay, primed)[0]))).toMatchObject({
    id: 0,
    error: { code: -32603, message: expect.stringContaining('no longer kept') }
  })
  expect(textsAfter(replay, 's119_0')[0]?.length).toBeGreaterThan(text.length)
})

test('G14 the session that has most gives first: a flood of one costs no other', async () => {
  const budget = new ReplayBudget(20_000)
  const [quiet, flood] = [budget.open(), budget.open()]
  const primed = await quiet.storeEvent('a', priming)
  await quiet.storeEvent('a', answer(1, large))
  for (let id = 0; id < 500; id += 1) await flood.storeEvent(`s${id}`, answer(id, large))
  expect(textsAfter(quiet, primed)).toEqual([JSON.stringify(answer(1, large))])
  expect(quiet.bytes + flood.bytes).toBeLessThanOrEqual(20_000)
})

test('a question that was withdrawn, and an answer that was discarded, are not seen again', async () => {
  const replay = new ReplayBudget(10_000).open()
  const primed = await replay.storeEvent('a', priming)
  await replay.storeEvent('a', question('q'))
  replay.withdraw('q')
  replay.discard(1)
  await replay.storeEvent('a', answer(1))
  expect(textsAfter(replay, primed)).toEqual([])
  expect(replay.streamOf(primed)).toMatchObject({ open: false })
  expect(replay.bytes).toBe(0)
})

test('only the newest 1,000 events are kept', async () => {
  const replay = new ReplayBudget(10_000_000).open()
  for (let n = 0; n < 1_200; n += 1) await replay.storeEvent('_GET_stream', log(String(n)))
  expect(textsAfter(replay, '_GET_stream_0')).toHaveLength(1_000)
})
