// Comlink takes its listeners off an endpoint only after a handshake with the peer, which a dead peer never answers.

/** What Comlink talks through: a port, a dedicated worker, or the inside of one. */
export interface EndpointTarget extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  postMessage(message: unknown, transfer: Transferable[]): void
  start?(): void
}

type Listener = EventListenerOrEventListenerObject

/** A target for Comlink from which all listeners can be taken. */
export class Endpoint {
  readonly #target: EndpointTarget
  #detached = false
  readonly #listeners: [type: string, listener: Listener][] = []

  constructor(target: EndpointTarget) {
    this.#target = target
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    // A proxy that is collected later would still ask the peer to stop listening, though others may use the target.
    if (!this.#detached) this.#target.postMessage(message, transfer)
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push([type, listener])
    this.#target.addEventListener(type, listener)
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#target.removeEventListener(type, listener)
  }

  /** Hands an event of before to the listeners of its type. */
  tell(event: Event): void {
    for (const [type, listener] of this.#listeners) {
      if (type !== event.type) continue
      if (typeof listener === 'function') listener(event)
      else listener.handleEvent(event)
    }
  }

  start(): void {
    this.#target.start?.()
  }

  detach(): void {
    this.#detached = true
    for (const [type, listener] of this.#listeners.splice(0)) this.#target.removeEventListener(type, listener)
  }
}
