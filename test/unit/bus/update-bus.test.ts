import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openBus, openBusOver, type Channel } from '../../../src/bus/update-bus.js'
import { recordOf } from '../../support/record.js'
import { updateBusContract } from '../../contract/update-bus-contract.js'

updateBusContract('BroadcastChannel', openBus)

describe('on the channel', () => {
  function setUp() {
    const name = `test:${crypto.randomUUID()}`
    const bus = openBus(name)
    const raw = new BroadcastChannel(name)
    onTestFinished(() => {
      bus.close()
      raw.close()
    })
    return { bus, raw }
  }

  const nextPost = (raw: BroadcastChannel): Promise<unknown> =>
    new Promise((resolve) => {
      raw.onmessage = (event: MessageEvent<unknown>) => resolve(event.data)
    })

  it('all that is published in one turn is one post, which names each task once', async () => {
    const { bus, raw } = setUp()
    const first = nextPost(raw)
    for (const taskId of ['t', 'u', 't']) bus.publish(taskId)
    expect(await first).toEqual({ updated: ['t', 'u'] })
    const second = nextPost(raw)
    bus.publish('v')
    expect(await second).toEqual({ updated: ['v'] })
  })

  it('a task that was removed is posted with its owner, since its row is gone, and heard with it', async () => {
    const name = `test:${crypto.randomUUID()}`
    const [bus, other] = [openBus(name), openBus(name)]
    const heard = new Promise((resolve) => other.listen((...told) => resolve(told)))
    bus.publish('t', { task: recordOf({ taskId: 't' }), removed: true })
    expect(await heard).toEqual(['t', undefined, 'ann'])
    bus.close()
    other.close()
  })

  it('what was published while nobody was known goes out before the one who greets could miss it', () => {
    const posts: unknown[] = []
    const channel: Channel = { onmessage: null, postMessage: (post) => posts.push(post), close: () => undefined }
    const bus = openBusOver(channel)
    bus.greet('me', () => undefined)
    bus.publish('t')
    channel.onmessage?.(new MessageEvent('message', { data: { hello: 'new' } }))
    expect(posts).toEqual([{ hello: 'me' }, { welcome: 'me' }, { updated: ['t'] }])
    bus.close()
  })

  it('what somebody else posts is ignored, and what follows is heard', async () => {
    const { bus, raw } = setUp()
    const heard: string[] = []
    const met: string[] = []
    bus.greet('me', (worker) => met.push(worker))
    const watch = bus.watch('t', new AbortController().signal)
    bus.listen((taskId) => heard.push(taskId))
    await watch.next()
    const junk = [
      null,
      undefined,
      7,
      'updated',
      [],
      {},
      { updated: 't' },
      { updated: [1, null, {}] },
      { hello: 1 },
      new Map()
    ]
    for (const post of junk) raw.postMessage(post)
    raw.postMessage({ hello: 'me' })
    raw.postMessage({ updated: ['t', 5] })
    await watch.next()
    expect(heard).toEqual(['t'])
    expect(met).toEqual([])
  })

  it('a hello is answered, a welcome is not', async () => {
    const { bus, raw } = setUp()
    const met: string[] = []
    const hello = nextPost(raw)
    bus.greet('me', (worker) => met.push(worker))
    expect(await hello).toEqual({ hello: 'me' })
    const answer = nextPost(raw)
    raw.postMessage({ welcome: 'first' })
    raw.postMessage({ hello: 'second' })
    expect(await answer).toEqual({ welcome: 'me' })
    expect(met).toEqual(['first', 'second'])
  })

  it('F32 a watch that ended leaves nothing at its signal', async () => {
    const { bus } = setUp()
    const { signal } = new AbortController()
    for (let n = 0; n < 1_000; n += 1) {
      for await (const _ of bus.watch(`t${n % 7}`, signal)) break
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('F32 a watch that ended is let go, and one that did not is kept', async () => {
    const { bus } = setUp()
    const { signal } = new AbortController()
    const watches = Array.from({ length: 10 }, () => new WeakRef(bus.watch('t', signal)))
    for (const watch of watches.slice(1)) await watch.deref()?.return?.()
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    await vi.waitFor(() => {
      collect()
      expect(watches.filter((watch) => watch.deref() !== undefined)).toHaveLength(1)
    })
  })
})
