import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { each, Reconciler } from '../../../src/tasks/reconcile.js'
import { gate } from '../../support/tools.js'
import { pass, turn } from '../../support/turns.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function reconciler(duty: () => Promise<void>) {
  const told: string[] = []
  const one = new Reconciler({ duty }, { onerror: (_, during) => told.push(during), oninterval: () => undefined })
  onTestFinished(() => one.close())
  return { one, told }
}

describe('a duty', () => {
  test('is done every 30 seconds, also when nobody names it', async () => {
    const duty = vi.fn(async () => undefined)
    reconciler(duty)
    await pass(90_000)
    expect(duty).toHaveBeenCalledTimes(3)
  })

  test('that fails is told of and tried again until it succeeds, with growing pauses', async () => {
    let failures = 3
    const duty = vi.fn(async () => {
      if (failures-- > 0) throw new Error('not yet')
    })
    const { one, told } = reconciler(duty)
    await one.run('duty')
    await vi.advanceTimersByTimeAsync(100)
    expect(duty).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(199)
    expect(duty).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(401)
    expect(duty).toHaveBeenCalledTimes(4)
    expect(told).toEqual(Array.from({ length: 3 }, () => 'reconciling duty, which is tried again'))
    await one.run('duty')
    expect(duty).toHaveBeenCalledTimes(5)
  })

  test('that names itself as it fails does not spin', async () => {
    const duty = vi.fn(async () => {
      one.soon('duty')
      throw new Error('never')
    })
    const { one } = reconciler(duty)
    await pass(25_000)
    expect(duty).toHaveBeenCalledTimes(0)
    await one.run('duty')
    await pass(100_000)
    expect(duty.mock.calls.length).toBeLessThan(25)
  })

  test('that is named while it runs is done once more, from the beginning', async () => {
    const running = [gate(), gate()]
    let done = 0
    const { one } = reconciler(() => running[done++]?.opened ?? Promise.resolve())
    const first = one.run('duty')
    await turn()
    const second = one.run('duty')
    const third = one.run('duty')
    running[0]?.open()
    running[1]?.open()
    await Promise.all([first, second, third])
    expect(done).toBe(2)
  })

  test('that is named while it is tried again is done once more', async () => {
    const trying = gate()
    const seen: string[] = []
    let state = 'old'
    let tries = 0
    const { one } = reconciler(async () => {
      if (++tries === 1) throw new Error('not yet')
      seen.push(state)
      await trying.opened
    })
    await one.run('duty')
    await vi.advanceTimersByTimeAsync(100)
    state = 'new'
    const done = one.run('duty')
    trying.open()
    await done
    expect(seen).toEqual(['old', 'new'])
  })

  test('is done no more after the end', async () => {
    const duty = vi.fn(async () => {
      throw new Error('not yet')
    })
    const { one } = reconciler(duty)
    await one.run('duty')
    one.close()
    await pass(60_000)
    expect(duty).toHaveBeenCalledTimes(1)
  })
})

test('one that fails holds up none of the others, and is told of', async () => {
  const done: number[] = []
  const acts = each([1, 2, 3], async (n) => {
    if (n === 1) throw new Error('one')
    done.push(n)
  })
  await expect(acts).rejects.toThrow('one')
  expect(done).toEqual([2, 3])
})
