import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UpdateBus } from '../../src/types.js'
import { recordOf } from '../support/record.js'

/** Buses of one name are workers of one origin; `open` gives each its own. */
export function updateBusContract(name: string, open: (channel: string) => UpdateBus): void {
  describe(`${name}: the bus`, () => {
    let channel = ''
    const buses: UpdateBus[] = []
    const bus = (on = channel): UpdateBus => {
      const opened = open(on)
      buses.push(opened)
      return opened
    }
    const never = (): AbortSignal => new AbortController().signal

    beforeEach(() => void (channel = `test:${crypto.randomUUID()}`))
    afterEach(() => {
      for (const opened of buses.splice(0)) opened.close()
    })

    /** Resolves when all that was posted before on this channel has arrived everywhere: posts keep their order. */
    async function settled(sender: UpdateBus, receiver: UpdateBus): Promise<void> {
      const mark = crypto.randomUUID()
      const watch = receiver.watch(mark, never())
      await watch.next()
      sender.publish(mark)
      await watch.next()
      await watch.return?.()
    }

    /** Whether a promise has settled, after all that could settle it has run. */
    async function isPending(promise: Promise<unknown>): Promise<boolean> {
      let pending = true
      void promise.then(() => (pending = false)).catch(() => (pending = false))
      const a = bus()
      await settled(a, bus())
      return pending
    }

    it('MQ-14 the first tick of a watch comes at once', async () => {
      expect(await bus().watch('t', never()).next()).toEqual({ done: false, value: undefined })
    })

    it('MQ-15 the next tick waits for a publish of that task', async () => {
      const a = bus()
      const watch = a.watch('t', never())
      await watch.next()
      const next = watch.next()
      a.publish('other')
      expect(await isPending(next)).toBe(true)
      a.publish('t')
      expect(await next).toEqual({ done: false, value: undefined })
    })

    it('MQ-16 F8 F65 a publish wakes watches of this worker and of every other', async () => {
      const [a, b, c] = [bus(), bus(), bus()]
      const watches = [a, a, b, c].map((one) => one.watch('t', never()))
      for (const watch of watches) await watch.next()
      a.publish('t')
      const ticks = await Promise.all(watches.map((watch) => watch.next()))
      expect(ticks).toEqual(watches.map(() => ({ done: false, value: undefined })))
    })

    it('MQ-18 N1 a publish between watching and asking is not missed', async () => {
      const a = bus()
      const watch = a.watch('t', never())
      await watch.next()
      a.publish('t')
      expect(await watch.next()).toEqual({ done: false, value: undefined })
    })

    it('a watch hears from the moment it was called, not from its first tick', async () => {
      const a = bus()
      const watch = a.watch('t', never())
      a.publish('t')
      await watch.next()
      const next = watch.next()
      expect(await isPending(next)).toBe(true)
      await watch.return?.()
      expect(await next).toEqual({ done: true, value: undefined })
    })

    it('ticks that come while nobody asks are one', async () => {
      const a = bus()
      const watch = a.watch('t', never())
      for (let n = 0; n < 5; n += 1) a.publish('t')
      await watch.next()
      expect(await isPending(watch.next())).toBe(true)
    })

    it('each of several that ask one watch gets a tick of its own', async () => {
      const a = bus()
      const watch = a.watch('t', never())
      await watch.next()
      const [first, second] = [watch.next(), watch.next()]
      a.publish('t')
      await first
      expect(await isPending(second)).toBe(true)
      a.publish('t')
      expect(await second).toEqual({ done: false, value: undefined })
    })

    it('a watch ends with its signal, also one that waits, and stays ended', async () => {
      const a = bus()
      const controller = new AbortController()
      const watch = a.watch('t', controller.signal)
      await watch.next()
      const next = watch.next()
      controller.abort()
      expect(await next).toEqual({ done: true, value: undefined })
      a.publish('t')
      expect(await watch.next()).toEqual({ done: true, value: undefined })
    })

    it('a watch with a signal that has gone off gives no tick', async () => {
      const ticks: unknown[] = []
      for await (const tick of bus().watch('t', AbortSignal.abort())) ticks.push(tick)
      expect(ticks).toEqual([])
    })

    it('a loop that breaks ends its watch', async () => {
      const a = bus()
      const watch = a.watch('t', never())
      let ticks = 0
      for await (const _ of watch) {
        ticks += 1
        a.publish('t')
        if (ticks === 3) break
      }
      expect(ticks).toBe(3)
      expect(await watch.next()).toEqual({ done: true, value: undefined })
    })

    it('one watch that ends leaves the others of its task alone', async () => {
      const a = bus()
      const [gone, stays] = [a.watch('t', never()), a.watch('t', never())]
      await stays.next()
      await gone.return?.()
      a.publish('t')
      expect(await stays.next()).toEqual({ done: false, value: undefined })
    })

    it('waking all ticks every watch of this worker, and none of another', async () => {
      const [a, b] = [bus(), bus()]
      const mine = [a.watch('t', never()), a.watch('u', never())]
      const foreign = b.watch('t', never())
      for (const watch of [...mine, foreign]) await watch.next()
      a.wakeAll()
      await Promise.all(mine.map((watch) => watch.next()))
      expect(await isPending(foreign.next())).toBe(true)
    })

    it('what a write left reaches the watches and listeners of its own worker, and only the name the others', async () => {
      const [a, b] = [bus(), bus()]
      const [mine, theirs] = [a.watch('t', never()), b.watch('t', never())]
      const heard: unknown[] = []
      for (const one of [a, b]) one.listen((taskId, left) => heard.push([taskId, left]))
      await Promise.all([mine.next(), theirs.next()])
      const left = { task: recordOf({ taskId: 't' }) }
      const ticks = [mine.next(), theirs.next()]
      a.publish('t', left)
      expect(await Promise.all(ticks)).toEqual([left, undefined].map((value) => ({ done: false, value })))
      expect(heard).toEqual([
        ['t', left],
        ['t', undefined]
      ])
    })

    it('one tick for several tells of none, since only the store knows them all', async () => {
      const a = bus()
      const watch = a.watch('t', never())
      const left = { task: recordOf({ taskId: 't' }) }
      a.publish('t', left)
      expect(await watch.next()).toEqual({ done: false, value: undefined })
      a.publish('t', left)
      expect(await watch.next()).toEqual({ done: false, value: left })
      a.publish('t', left)
      a.publish('t', left)
      expect(await watch.next()).toEqual({ done: false, value: undefined })
    })

    it('listeners get each id that is published here or elsewhere, until they stop', async () => {
      const [a, b] = [bus(), bus()]
      const heard: string[] = []
      const stop = a.listen((taskId) => heard.push(taskId))
      a.publish('mine')
      expect(heard).toEqual(['mine'])
      b.publish('theirs')
      await vi.waitFor(() => expect(heard).toEqual(['mine', 'theirs']))
      stop()
      a.publish('more')
      expect(heard).toHaveLength(2)
    })

    it('one function that listens twice is called twice, and each stops alone', () => {
      const a = bus()
      let calls = 0
      const listener = (): void => void (calls += 1)
      const stop = a.listen(listener)
      a.listen(listener)
      a.publish('t')
      stop()
      stop()
      a.publish('t')
      expect(calls).toBe(3)
    })

    it('buses of other names hear nothing', async () => {
      const [a, b, other] = [bus(), bus(), bus(`${channel}:other`)]
      const heard: string[] = []
      other.listen((taskId) => heard.push(taskId))
      a.publish('t')
      await settled(a, b)
      await settled(other, bus(`${channel}:other`))
      expect(heard).not.toContain('t')
    })

    it('workers that greet learn of each other, each once', async () => {
      const [a, b, c] = [bus(), bus(), bus()]
      const met: string[] = []
      a.greet('A', (worker) => met.push(`A met ${worker}`))
      b.greet('B', (worker) => met.push(`B met ${worker}`))
      await vi.waitFor(() => expect([...met].sort()).toEqual(['A met B', 'B met A']))
      c.greet('C', (worker) => met.push(`C met ${worker}`))
      const all = ['A met B', 'A met C', 'B met A', 'B met C', 'C met A', 'C met B']
      await vi.waitFor(() => expect([...met].sort()).toEqual(all))
      await settled(c, a)
      expect(met).toHaveLength(6)
    })

    it('closing ends all watches, lets the last publish out, and makes later calls harmless', async () => {
      const [a, b] = [bus(), bus()]
      const [mine, theirs] = [a.watch('t', never()), b.watch('last', never())]
      await mine.next()
      await theirs.next()
      const next = mine.next()
      a.publish('last')
      a.close()
      a.close()
      a.publish('late')
      a.wakeAll()
      a.greet('A', () => undefined)
      expect(await next).toEqual({ done: true, value: undefined })
      expect(await a.watch('t', never()).next()).toEqual({ done: true, value: undefined })
      expect(await theirs.next()).toEqual({ done: false, value: undefined })
    })
  })
}
