import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Presence } from '../../../src/bridge/presence.js'

let said: string[]
let presence: Presence

beforeEach(() => {
  vi.useFakeTimers()
  said = []
  const say = (word: string) => (): unknown => said.push(word)
  const events = { away: say('away'), back: say('back'), expired: say('expired') }
  presence = new Presence({ silence: 5_000, idle: 60_000 }, events)
})

afterEach(() => {
  vi.useRealTimers()
})

test('a client with a stream is there for as long as it has one', () => {
  const leave = presence.enter()
  vi.advanceTimersByTime(1_000_000)
  expect(said).toEqual([])
  leave()
  vi.advanceTimersByTime(4_999)
  expect(said).toEqual([])
})

test('a client without a stream is away after a while, and has gone after a longer one', () => {
  presence.enter()()
  vi.advanceTimersByTime(5_000)
  expect(said).toEqual(['away'])
  vi.advanceTimersByTime(54_999)
  expect(said).toEqual(['away'])
  vi.advanceTimersByTime(1)
  expect(said).toEqual(['away', 'expired'])
})

test('a request brings it back, and the time begins anew when that ends', () => {
  presence.enter()()
  vi.advanceTimersByTime(30_000)
  const leave = presence.enter()
  expect(said).toEqual(['away', 'back'])
  leave()
  leave()
  vi.advanceTimersByTime(59_999)
  expect(said).toEqual(['away', 'back', 'away'])
  vi.advanceTimersByTime(1)
  expect(said.at(-1)).toBe('expired')
})

test('of two streams the last counts', () => {
  const [one, other] = [presence.enter(), presence.enter()]
  one()
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual([])
  other()
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual(['away', 'expired'])
})

test('after its end nothing is said', () => {
  const leave = presence.enter()
  presence.end()
  leave()
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual([])
})
