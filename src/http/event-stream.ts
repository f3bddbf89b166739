// One response that goes on: https://html.spec.whatwg.org/multipage/server-sent-events.html

import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { after } from '../time.js'

/** Milliseconds between signs of life: load balancers end a connection on which nothing was said for a minute. */
const beat = 20_000

const encoder = new TextEncoder()

export class EventStream {
  readonly response: Response
  /** Ids of the questions that were asked on it. */
  readonly asked = new Set<RequestId>()
  #writer: ReadableStreamDefaultController<Uint8Array> | undefined
  #stop: () => void = () => undefined

  /** `onleft` is called when its reader goes before the end. */
  constructor(headers: Record<string, string>, onleft: () => void) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#writer = controller
      },
      cancel: () => {
        this.#close()
        onleft()
      }
    })
    const own = {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no'
    }
    this.response = new Response(body, { headers: { ...own, ...headers } })
    this.#live()
  }

  write(message: JSONRPCMessage): void {
    this.#say(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }

  end(): void {
    const writer = this.#writer
    this.#close()
    writer?.close()
  }

  #close(): void {
    this.#writer = undefined
    this.#stop()
  }

  #say(text: string): void {
    this.#writer?.enqueue(encoder.encode(text))
  }

  #live(): void {
    this.#stop = after(beat, () => {
      this.#say(': here\n\n')
      this.#live()
    })
  }
}
