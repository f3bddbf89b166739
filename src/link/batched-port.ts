// Comlink answers every call with a message of its own. Most answers only acknowledge, and nobody waits for them: they
// travel with the next call, which is often the response, or alone at the end of the turn.

import type { EndpointTarget } from './endpoint.js'
import { afterTurn, runAll } from './turn.js'

/** What Comlink sends back; a call has the type of what it does: https://github.com/GoogleChromeLabs/comlink/blob/v4.4.2/src/protocol.ts */
const isAnswer = (message: unknown): boolean => {
  const { type } = message as { type?: unknown }
  return type === 'RAW' || type === 'HANDLER'
}

type Listener = EventListenerOrEventListenerObject

/** A port whose posts may be arrays of messages; both ends must be. */
export class BatchedPort implements EndpointTarget {
  readonly #port: MessagePort
  readonly #listeners = new Map<Listener, Listener>()
  #answers: unknown[] = []

  constructor(port: MessagePort) {
    this.#port = port
  }

  /** Throws what the port throws; the answers that wait are not lost by it. */
  postMessage(message: unknown, transfer: Transferable[]): void {
    if (isAnswer(message) && transfer.length === 0) {
      if (this.#answers.push(message) === 1) afterTurn(() => this.#flush())
      return
    }
    const answers = this.#answers
    this.#port.postMessage(answers.length === 0 ? message : [...answers, message], transfer)
    this.#answers = []
  }

  addEventListener(type: string, listener: Listener): void {
    if (type !== 'message') return this.#port.addEventListener(type, listener)
    const tell = (event: Event): void => {
      if (typeof listener === 'function') listener(event)
      else listener.handleEvent(event)
    }
    const each = (event: Event): void => {
      const { data } = event as MessageEvent<unknown>
      if (!Array.isArray(data)) return tell(event)
      // Comlink reads no more of an event than this; to make a real one costs as much as to clone the message.
      runAll(data.map((message) => () => tell({ data: message, origin: '' } as MessageEvent)))
    }
    this.#listeners.set(listener, each)
    this.#port.addEventListener(type, each)
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#port.removeEventListener(type, this.#listeners.get(listener) ?? listener)
    this.#listeners.delete(listener)
  }

  start(): void {
    this.#port.start()
  }

  close(): void {
    this.#port.close()
  }

  #flush(): void {
    const answers = this.#answers
    this.#answers = []
    if (answers.length > 0) this.#port.postMessage(answers)
  }
}
