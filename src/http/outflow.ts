// What is written to the streams of one client and not read by it, which is bounded: it stays in memory until then.

import type { ServerResponse } from 'node:http'

/** Bytes. Above them the stream with most is closed; its client may have the rest with Last-Event-ID. */
export const mostUnread = 32 * 1024 * 1024

export class Outflow {
  readonly #responses = new Set<ServerResponse>()

  write(to: ServerResponse, chunk: Uint8Array): void {
    if (!this.#responses.has(to)) {
      this.#responses.add(to)
      to.once('close', () => this.#responses.delete(to))
    }
    to.write(chunk)
    const unread = [...this.#responses].sort((a, b) => b.writableLength - a.writableLength)
    if (unread.reduce((sum, { writableLength }) => sum + writableLength, 0) > mostUnread) unread[0]?.destroy()
  }
}
