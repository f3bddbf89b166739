// Calls what the other side exposes, in Comlink's own words: https://github.com/GoogleChromeLabs/comlink/blob/v4.4.2/src/protocol.ts
// Its `wrap` names each call by four random numbers in hex, which takes longer than the call, and makes proxies whose
// collection runs JavaScript.

import type { EndpointTarget } from './endpoint.js'

interface Answer {
  id: string
  type: unknown
  value: unknown
}

const isAnswer = (data: unknown): data is Answer => {
  const { type } = (data ?? {}) as Partial<Answer>
  return type === 'RAW' || type === 'HANDLER'
}

export class Caller {
  readonly #port: EndpointTarget
  readonly #waiting = new Map<string, { resolve(value: unknown): void; reject(error: unknown): void }>()
  #calls = 0

  constructor(port: EndpointTarget) {
    this.#port = port
    port.addEventListener('message', (event) => this.#settle((event as MessageEvent<unknown>).data))
  }

  /** Throws at once when an argument cannot be cloned; never settles when nobody is there. */
  call(method: string, ...args: unknown[]): Promise<unknown> {
    const id = String((this.#calls += 1))
    const argumentList = args.map((value) => ({ type: 'RAW', value }))
    this.#port.postMessage({ id, type: 'APPLY', path: [method], argumentList }, [])
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
  }

  #settle(data: unknown): void {
    if (!isAnswer(data)) return
    const waiting = this.#waiting.get(data.id)
    this.#waiting.delete(data.id)
    if (data.type === 'RAW') waiting?.resolve(data.value)
    else waiting?.reject(new Error('The other side has failed', { cause: data.value }))
  }
}
