// A client on standard input and output, where a line is a message: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
// The SDK's transport drops a line that is none, and dies of one that is too long.

import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { IntabError } from '../errors.js'
import { readFrame, type Refusal, tooLong } from '../http/frame.js'

const newline = 0x0a
const carriageReturn = 0x0d
/** Of JSON, within a line: https://www.rfc-editor.org/rfc/rfc8259#section-2 */
const blanks: readonly number[] = [0x20, 0x09, carriageReturn]

export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  /** Resolves when there is no more input, or nobody reads the output. */
  readonly ended: Promise<void>
  readonly #input: Readable
  readonly #output: Writable
  readonly #limit: number
  /** The parts of the line that is being read; empty once it is too long, even if it ends in CRLF. */
  #parts: Buffer[] = []
  #length = 0
  #onended!: () => void
  #closed = false

  /** `limit` is in bytes, of one line. */
  constructor(input: Readable, output: Writable, limit: number) {
    this.#input = input
    this.#output = output
    this.#limit = limit
    this.ended = new Promise((resolve) => (this.#onended = resolve))
  }

  async start(): Promise<void> {
    const end = (): void => {
      if (this.#length > 0) this.#line()
      this.#onended()
    }
    const fail = (error: Error): void => {
      this.onerror?.(error)
      this.#onended()
    }
    this.#input.on('data', this.#read).on('end', end).on('close', end).on('error', fail)
    this.#output.on('error', fail)
  }

  /** A client that does not read is not read from either, until it does. */
  async send(message: JSONRPCMessage | Refusal): Promise<void> {
    if (this.#closed) throw new IntabError('closed', 'The client on stdio is gone')
    const taken = this.#output.write(`${JSON.stringify(message)}\n`)
    if (taken || this.#input.isPaused()) return
    this.#input.pause()
    this.#output.once('drain', () => this.#input.resume())
  }

  /** Resolves when all that was sent is written. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#input.off('data', this.#read).pause()
    if (!this.#output.errored) await new Promise<void>((resolve) => this.#output.write('', () => resolve()))
    this.onclose?.()
  }

  readonly #read = (chunk: Buffer): void => {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end))
      this.#line()
      start = end + 1
    }
    this.#keep(chunk.subarray(start))
  }

  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#length > this.#limit + 1) this.#parts = []
    else this.#parts.push(part)
  }

  #line(): void {
    const line = Buffer.concat(this.#parts)
    const length = line.at(-1) === carriageReturn ? this.#length - 1 : this.#length
    this.#parts = []
    this.#length = 0
    if (length > this.#limit) return this.#refuse(tooLong(this.#limit))
    if (line.every((byte) => blanks.includes(byte))) return
    const frame = readFrame(line)
    if ('refusal' in frame) this.#refuse(frame.refusal)
    else this.onmessage?.(frame.message)
  }

  #refuse(refusal: Refusal): void {
    this.send(refusal).catch((error: Error) => this.onerror?.(error))
  }
}
