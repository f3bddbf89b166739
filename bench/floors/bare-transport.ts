import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** As little as a Transport over a port can be. */
export class BareTransport implements Transport {
  onmessage?: Transport['onmessage']
  readonly #port: MessagePort

  constructor(port: MessagePort) {
    this.#port = port
  }

  async start(): Promise<void> {
    this.#port.onmessage = ({ data }: MessageEvent<JSONRPCMessage>) => this.onmessage?.(data)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#port.postMessage(message)
  }

  async close(): Promise<void> {
    this.#port.close()
  }
}
