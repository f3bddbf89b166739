// Says that something changed; what, only within one worker. Whoever hears it from another reads the store.
// https://developer.mozilla.org/docs/Web/API/Broadcast_Channel_API

import type { Left, UpdateBus } from '../types.js'
import { LastLeft } from './last-left.js'
import { Watch } from './watch.js'

type Post = { updated: string[]; removed?: Removed[] } | { hello: string } | { welcome: string }

/** Only the row, which is gone, told whose it was. */
type Removed = [taskId: string, owner: string]

/** One channel for all tasks: each further object of one name makes every post dearer. */
export const openBus = (name: string): UpdateBus => openBusOver(new BroadcastChannel(name))

/** What the bus needs of a BroadcastChannel, for whoever has none. */
export interface Channel {
  onmessage: ((event: MessageEvent<unknown>) => void) | null
  /** To everybody else, never to itself. */
  postMessage(post: unknown): void
  close(): void
}

export const openBusOver = (channel: Channel): UpdateBus => new BroadcastBus(channel)

class BroadcastBus implements UpdateBus {
  readonly #channel: Channel
  readonly #watches = new Map<string, Set<Watch>>()
  readonly #listeners = new Set<Parameters<UpdateBus['listen']>[0]>()
  readonly #lastLeft = new LastLeft()
  /** With the owners of what was removed. */
  readonly #outbox = new Map<string, string | undefined>()
  readonly #met = new Set<string>()
  #greeting: { worker: string; onhello: (worker: string) => void } | undefined
  #closed = false

  constructor(channel: Channel) {
    this.#channel = channel
    channel.onmessage = (event: MessageEvent<unknown>) => this.#receive(event.data)
  }

  publish(taskId: string, left?: Left): void {
    if (this.#closed) return
    if (this.#outbox.size === 0) this.#soon(() => this.#flush())
    this.#outbox.set(taskId, left?.removed && left.task.owner)
    // A channel never hears itself: https://html.spec.whatwg.org/multipage/web-messaging.html#dom-broadcastchannel-postmessage
    this.#announce(taskId, left)
  }

  watch(taskId: string, signal: AbortSignal): AsyncIterableIterator<Left | undefined> {
    const watch = new Watch(signal, () => this.#forget(taskId, watch), this.#lastLeft.get(taskId))
    if (this.#closed) watch.end()
    if (watch.ended) return watch
    const watches = this.#watches.get(taskId) ?? new Set()
    this.#watches.set(taskId, watches.add(watch))
    return watch
  }

  listen(listener: Parameters<UpdateBus['listen']>[0]): () => void {
    const own: typeof listener = (...heard) => listener(...heard)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  wakeAll(): void {
    this.#lastLeft.doubt()
    for (const watches of this.#watches.values()) for (const watch of watches) watch.tick()
  }

  greet(worker: string, onhello: (worker: string) => void): void {
    this.#greeting = { worker, onhello }
    this.#post({ hello: worker })
  }

  close(): void {
    if (this.#closed) return
    this.#flush()
    this.#closed = true
    this.#channel.close()
    this.#listeners.clear()
    for (const watches of this.#watches.values()) for (const watch of watches) watch.end()
  }

  #announce(taskId: string, left?: Left, owner?: string): void {
    this.#lastLeft.note(taskId, left)
    for (const watch of this.#watches.get(taskId) ?? []) watch.tick(left)
    for (const listener of this.#listeners) listener(taskId, left, owner)
  }

  /** Where nobody is known to listen, those of this worker who wait go first. */
  #soon(act: () => void): void {
    if (this.#met.size > 0) queueMicrotask(act)
    else setTimeout(act)
  }

  #forget(taskId: string, watch: Watch): void {
    const watches = this.#watches.get(taskId)
    watches?.delete(watch)
    if (watches?.size === 0) this.#watches.delete(taskId)
  }

  #flush(): void {
    if (this.#outbox.size === 0) return
    const updated = [...this.#outbox.keys()]
    const removed = [...this.#outbox].filter((gone): gone is Removed => gone[1] !== undefined)
    this.#post(removed.length > 0 ? { updated, removed } : { updated })
    this.#outbox.clear()
  }

  #post(post: Post): void {
    if (!this.#closed) this.#channel.postMessage(post)
  }

  /** Anybody of the origin may post here, an older or newer build too. */
  #receive(data: unknown): void {
    if (typeof data !== 'object' || data === null) return
    const { updated, removed, hello, welcome } = data as Partial<Record<string, unknown>>
    const owners = new Map(Array.isArray(removed) ? removed.filter(isRemoved) : [])
    for (const taskId of Array.isArray(updated) ? updated : []) {
      if (typeof taskId === 'string') this.#announce(taskId, undefined, owners.get(taskId))
    }
    if (typeof hello === 'string') this.#meet(hello, true)
    if (typeof welcome === 'string') this.#meet(welcome, false)
  }

  #meet(worker: string, answer: boolean): void {
    if (this.#greeting === undefined || worker === this.#greeting.worker) return
    if (answer) this.#post({ welcome: this.#greeting.worker })
    if (this.#met.has(worker)) return
    this.#met.add(worker)
    this.#flush()
    this.#greeting.onhello(worker)
  }
}

const isRemoved = (gone: unknown): gone is Removed =>
  Array.isArray(gone) && typeof gone[0] === 'string' && typeof gone[1] === 'string'
