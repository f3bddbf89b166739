// What a client that lost a stream can have again with Last-Event-ID, in memory and bounded.

import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { RpcError, RPC } from '../errors.js'
import { failure, isRequest, isResponse } from '../link/json-rpc.js'

/** Events of one session. */
const mostEvents = 1000
/** The SDK's name for the stream of a GET. */
const getStream = '_GET_stream'

interface Event {
  stream: string
  /** As JSON; empty for one that says nothing: a priming event, or a question that was withdrawn. */
  text: string
  /** Of a response, or of a question. */
  id?: RequestId
  answers: boolean
  /** An answer whose text was given up: an error says so in its place. */
  lost?: boolean
}

/** The bytes that all sessions of a bridge keep; the one that has most gives first. */
export class ReplayBudget {
  readonly #limit: number
  readonly #replays = new Set<Replay>()

  constructor(limit: number) {
    this.#limit = limit
  }

  open(): Replay {
    const replay = new Replay(this)
    this.#replays.add(replay)
    return replay
  }

  forget(replay: Replay): void {
    this.#replays.delete(replay)
  }

  hold(): void {
    const bytes = (): number => [...this.#replays].reduce((sum, replay) => sum + replay.bytes, 0)
    for (let over = bytes() - this.#limit; over > 0; over = bytes() - this.#limit) {
      const [largest] = [...this.#replays].sort((a, b) => b.bytes - a.bytes)
      if (largest?.shed() !== true) return
    }
  }
}

export class Replay implements EventStore {
  /** Of all texts. */
  bytes = 0
  /** The stream of the newest event. */
  newest = ''
  /** Events so far. */
  count = 0
  readonly #budget: ReplayBudget
  readonly #events = new Map<number, Event>()
  /** Streams of POSTs that have no answer yet. */
  readonly #open = new Set<string>()
  readonly #discarded = new Set<RequestId>()

  constructor(budget: ReplayBudget) {
    this.#budget = budget
  }

  /** Called by the SDK's transport for each message, before it is sent. */
  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.newest = stream
    this.count += 1
    // A priming event is stored as an empty message.
    const text = 'jsonrpc' in message ? JSON.stringify(message) : ''
    const answers = text !== '' && isResponse(message)
    if (answers) this.#open.delete(stream)
    else if (stream !== getStream) this.#open.add(stream)
    const id = text !== '' && (answers || isRequest(message)) ? message.id : undefined
    if (answers && id !== undefined && this.#discarded.delete(id)) return `${stream}_${this.count}`
    this.#events.set(this.count, { stream, text, answers, ...(id !== undefined && { id }) })
    this.bytes += text.length
    const [oldest] = this.#events.keys()
    if (this.#events.size > mostEvents && oldest !== undefined) this.#drop(oldest)
    this.#budget.hold()
    return `${stream}_${this.count}`
  }

  /** Called by the SDK's transport for a stream that goes on. */
  async replayEventsAfter(
    lastEventId: string,
    { send }: { send(eventId: string, message: JSONRPCMessage): Promise<void> }
  ): Promise<string> {
    const { stream } = placeOf(lastEventId) ?? { stream: getStream }
    for (const [eventId, text] of this.after(lastEventId)) await send(eventId, JSON.parse(text) as JSONRPCMessage)
    return stream
  }

  /** The stream of an event, and whether more may come on it; undefined for an event id that is none. */
  streamOf(lastEventId: string): { stream: string; isGet: boolean; open: boolean } | undefined {
    const place = placeOf(lastEventId)
    if (place === undefined) return undefined
    const isGet = place.stream === getStream
    return { stream: place.stream, isGet, open: isGet || this.#open.has(place.stream) }
  }

  /** Ids and texts of what was sent on the same stream after the event. */
  after(lastEventId: string): [eventId: string, text: string][] {
    const place = placeOf(lastEventId)
    return [...this.#events].flatMap(([n, event]): [string, string][] => {
      const { stream, id, lost } = event
      const text = lost === true && id !== undefined ? lostAnswer(id) : event.text
      return text !== '' && stream === place?.stream && n > place.n ? [[`${stream}_${n}`, text]] : []
    })
  }

  /** The next response with this id is not kept: its request was cancelled. */
  discard(id: RequestId): void {
    this.#discarded.add(id)
  }

  /** Nobody is asked this any more. */
  withdraw(question: RequestId): void {
    for (const [n, event] of this.#events) if (!event.answers && event.id === question) this.#write(n, event, '')
  }

  /** Gives up the oldest text; an answer is replaced by an error that says so. False when there is nothing to give. */
  shed(): boolean {
    for (const [n, event] of this.#events) {
      if (event.text === '') continue
      this.#write(n, { ...event, lost: event.answers }, '')
      return true
    }
    return false
  }

  end(): void {
    this.#events.clear()
    this.bytes = 0
    this.#budget.forget(this)
  }

  #write(n: number, event: Event, text: string): void {
    this.bytes += text.length - (this.#events.get(n)?.text.length ?? 0)
    this.#events.set(n, { ...event, text })
  }

  #drop(n: number): void {
    this.bytes -= this.#events.get(n)?.text.length ?? 0
    this.#events.delete(n)
  }
}

/** Event ids name their stream, so that one which is kept no more still tells where its client was. */
function placeOf(eventId: string): { stream: string; n: number } | undefined {
  const [, stream, n] = /^(.+)_(\d+)$/.exec(eventId) ?? []
  return stream === undefined ? undefined : { stream, n: Number(n) }
}

const lostAnswer = (id: RequestId): string =>
  JSON.stringify(
    failure(
      id,
      new RpcError(
        RPC.internal,
        'The answer was sent on a stream that broke, and is no longer kept: send the request again'
      )
    )
  )
