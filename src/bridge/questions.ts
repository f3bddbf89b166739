// What the server asks one client, from the question to its answer: it waits for a stream, and for another when that breaks.

import type { JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js'
import type { Replay } from './replay.js'

/** Where a question is shown: on the stream of a request, or on the client's GET. */
export type Place = { on: RequestId | undefined }

interface Asked {
  question: JSONRPCRequest
  /** The request on whose stream the server wants it. */
  related: RequestId | undefined
  /** Undefined until its client could see it. */
  shown?: Place
}

export interface Streams {
  /** An open stream for the question; undefined when there is none now. */
  placeFor(question: JSONRPCRequest, related: RequestId | undefined): Place | undefined
  isOpen(place: Place): boolean
  post(question: JSONRPCRequest, place: Place): void
}

export class AskedQuestions {
  readonly #asked = new Map<RequestId, Asked>()
  readonly #replay: Replay
  readonly #streams: Streams

  constructor(replay: Replay, streams: Streams) {
    this.#replay = replay
    this.#streams = streams
  }

  get size(): number {
    return this.#asked.size
  }

  has(id: RequestId): boolean {
    return this.#asked.has(id)
  }

  ask(question: JSONRPCRequest, related: RequestId | undefined): void {
    this.#asked.set(question.id, { question, related })
    this.settle()
  }

  /** Shows what is on no open stream where it can; to be called when a stream begins or ends. */
  settle(): void {
    for (const asked of this.#asked.values()) {
      if (asked.shown !== undefined && this.#streams.isOpen(asked.shown)) continue
      const place = this.#streams.placeFor(asked.question, asked.related)
      if (place === undefined) continue
      // On the stream that broke it must not be seen once more.
      if (asked.shown !== undefined) this.#replay.withdraw(asked.question.id)
      asked.shown = place
      this.#streams.post(asked.question, place)
    }
  }

  answered(id: RequestId): void {
    this.#asked.delete(id)
    this.#replay.withdraw(id)
  }

  /** Where the client has seen it; undefined when it has not. */
  withdraw(id: RequestId): Place | undefined {
    const shown = this.#asked.get(id)?.shown
    this.answered(id)
    return shown
  }
}
