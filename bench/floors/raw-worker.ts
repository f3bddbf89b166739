// The page's end of raw.worker.ts.

import { aheadOf } from './clock.js'
import url from './raw.worker.ts?worker&url'

export class RawWorker {
  readonly #port: MessagePort
  readonly #calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #echo: (() => void) | undefined
  #id = 0
  /** Of the worker's clock, once `synchronise` has resolved. */
  ahead = 0

  constructor(name: string) {
    this.#port = new SharedWorker(url, { type: 'module', name }).port
    this.#port.onmessage = ({ data }: MessageEvent<{ id?: number; value?: unknown; error?: string }>) => {
      const call = data.id === undefined ? undefined : this.#calls.get(data.id)
      if (call === undefined) return this.#echo?.()
      this.#calls.delete(data.id ?? 0)
      if (data.error === undefined) call.resolve(data.value)
      else call.reject(new Error(data.error))
    }
  }

  call(op: string, taskId: string, payload?: unknown): Promise<unknown> {
    const id = ++this.#id
    this.#port.postMessage({ id, op, taskId, seq: id, payload })
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }))
  }

  async synchronise(): Promise<void> {
    this.ahead = await aheadOf(async () => Number(await this.call('clock', '')))
  }

  /** There and back, and nothing else. */
  echo(payload: unknown): Promise<void> {
    this.#port.postMessage({ op: 'echo', payload })
    return new Promise((resolve) => (this.#echo = resolve))
  }
}
