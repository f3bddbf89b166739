import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { after, at, backOff, pause, until } from '../../src/time.js'

const hour = 3_600_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** The machine sleeps: its wall clock goes on, its timers stand still. */
const suspend = (ms: number): void => void vi.setSystemTime(Date.now() + ms)

describe('a time of the wall clock', () => {
  test('F63 that came while the machine was suspended is seen within 30 seconds', async () => {
    const act = vi.fn()
    at(Date.now() + hour, act)
    suspend(2 * hour)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(act).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(act).toHaveBeenCalledOnce()
  })

  test('E13 of fifty days is waited for, and follows a clock that is set back', async () => {
    const act = vi.fn()
    at(Date.now() + 50 * 24 * hour, act)
    suspend(-hour)
    await vi.advanceTimersByTimeAsync(hour)
    suspend(50 * 24 * hour - hour)
    await vi.advanceTimersByTimeAsync(hour - 1)
    expect(act).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(act).toHaveBeenCalledOnce()
  })

  test('that is over calls back in a later turn, and not once it is stopped', async () => {
    const act = vi.fn()
    at(Date.now() - 1, act)
    expect(act).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(0)
    expect(act).toHaveBeenCalledOnce()
    at(Date.now() + hour, act)()
    await vi.advanceTimersByTimeAsync(2 * hour)
    expect(act).toHaveBeenCalledOnce()
  })

  test('is waited for no longer than the sleeper asked, wherever the clock is set', async () => {
    let woke = false
    until(Date.now() + 1000, new AbortController().signal, 1000).then(
      () => (woke = true),
      () => undefined
    )
    suspend(-hour)
    await vi.advanceTimersByTimeAsync(1000)
    expect(woke).toBe(true)
  })
})

describe('a duration', () => {
  test.each([
    ['forward', hour],
    ['back', -hour]
  ])('is not moved by a clock that is set %s', async (_, by) => {
    const act = vi.fn()
    after(10 * 60_000, act)
    suspend(by)
    await vi.advanceTimersByTimeAsync(10 * 60_000 - 1)
    expect(act).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(act).toHaveBeenCalledOnce()
  })

  test('is over with its signal, whose reason it rejects with', async () => {
    const leaving = new AbortController()
    const waiting = expect(pause(hour, leaving.signal)).rejects.toThrow('left')
    leaving.abort(new Error('left'))
    await waiting
    await expect(pause(hour, leaving.signal)).rejects.toThrow('left')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('between tries doubles from a tenth of a second to ten seconds', () => {
    expect([1, 2, 3, 7, 8, 100].map(backOff)).toEqual([100, 200, 400, 6400, 10_000, 10_000])
  })
})
