// What happens in a worker, kept for one connection from one reading to the next. Nothing is kept before the first.

import { toError } from '../errors.js'
import { elapsed } from '../time.js'
import type { IntabEvent, JsonObject } from '../types.js'
import type { Hub } from './hub.js'

type Kind = 'events' | 'console'

/** Entries from one reading to the next; the oldest make room. */
const most = 2000
/** Who has not read for so many ms will not read any more. */
const patience = 30_000

const levels = ['debug', 'log', 'info', 'warn', 'error'] as const

interface Reader {
  /** Whether the worker serves others beside this owner. */
  isShared: boolean
  signal: AbortSignal
}

export class Log {
  readonly #hub: Hub
  readonly #owner: string
  readonly #reader: Reader
  readonly #stops = new Map<Kind, () => void>()
  #entries: JsonObject[] = []
  #dropped = 0
  #lastRead = 0

  constructor(hub: Hub, owner: string, reader: Reader) {
    this.#hub = hub
    this.#owner = owner
    this.#reader = reader
    reader.signal.addEventListener('abort', () => this.#keep([]), { once: true })
  }

  /** The entries since the last reading, oldest first; from now on, those of these kinds are kept. */
  read(kinds: readonly Kind[]): JsonObject {
    this.#lastRead = elapsed()
    const read = { entries: this.#entries, dropped: this.#dropped }
    this.#entries = []
    this.#dropped = 0
    if (!this.#reader.signal.aborted)
      this.#keep(this.#reader.isShared ? kinds.filter((kind) => kind === 'events') : kinds)
    return read
  }

  #keep(kinds: readonly Kind[]): void {
    for (const [kind, stop] of this.#stops) {
      if (kinds.includes(kind)) continue
      stop()
      this.#stops.delete(kind)
    }
    for (const kind of kinds) {
      if (!this.#stops.has(kind)) this.#stops.set(kind, kind === 'events' ? this.#hearEvents() : this.#hearConsole())
    }
  }

  #hearEvents(): () => void {
    const { listeners } = this.#hub
    const listener = (event: IntabEvent): void => {
      const owner = this.#ownerOf(event)
      if (owner === this.#owner || (owner === undefined && !this.#reader.isShared)) this.#add(tell(event))
    }
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  #ownerOf(event: IntabEvent): string | undefined {
    if ('task' in event) return event.task.owner
    if (!('connection' in event)) return undefined
    return [...this.#hub.sessions].find(({ connection }) => connection === event.connection)?.owner
  }

  /** What the worker's console shows, uncaught errors included; it goes on to show it. */
  #hearConsole(): () => void {
    const ended = new AbortController()
    const { signal } = ended
    for (const level of levels) {
      const say = console[level]
      const heard = (...args: unknown[]): void => {
        say.apply(console, args)
        if (!signal.aborted) this.#add({ type: level, text: args.map(text).join(' ') })
      }
      console[level] = heard
      signal.addEventListener('abort', () => {
        // Where somebody else has come over it, it stays and adds nothing.
        if (console[level] === heard) console[level] = say
      })
    }
    const scope: Partial<EventTarget> = globalThis
    const uncaught = (event: Event): void => {
      const { error, message, reason } = event as Partial<ErrorEvent & PromiseRejectionEvent>
      this.#add({ type: 'error', text: `Uncaught ${text(error ?? reason ?? message)}` })
    }
    scope.addEventListener?.('error', uncaught, { signal })
    scope.addEventListener?.('unhandledrejection', uncaught, { signal })
    return () => ended.abort()
  }

  #add(entry: JsonObject): void {
    if (elapsed() - this.#lastRead > patience) {
      this.#entries = []
      return this.#keep([])
    }
    this.#entries.push({ at: Date.now(), ...entry })
    if (this.#entries.length <= most) return
    // A tenth at once: to move all for each one would cost more than to write it.
    const gone = this.#entries.splice(0, most / 10)
    this.#dropped += gone.length
  }
}

function tell(event: IntabEvent): JsonObject {
  if ('task' in event) {
    const { taskId, tool, status, statusMessage = '' } = event.task
    return { type: event.type, taskId, tool, status, text: statusMessage }
  }
  if ('error' in event) return { type: event.type, text: `${event.while}: ${event.error.message}` }
  return { ...event }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.stack ?? String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch (error) {
    return `(${toError(error).message})`
  }
}
