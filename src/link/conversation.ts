// What passes between the client and one worker after the other, beyond what the client says by itself.

import type {
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  MessageExtraInfo
} from '@modelcontextprotocol/sdk/types.js'
import { IntabError, RpcError, toError } from '../errors.js'
import type { Json } from '../types.js'
import { failure, isRequest, isResponse } from './json-rpc.js'
import type { Ledger } from './ledger.js'
import type { WorkerLink } from './worker-link.js'

export interface Listener {
  message(message: JSONRPCMessage, extra?: MessageExtraInfo): void
  error(error: Error): void
}

export class Conversation {
  readonly #ledger: Ledger
  readonly #client: Listener

  constructor(ledger: Ledger, client: Listener) {
    this.#ledger = ledger
    this.#client = client
  }

  tell(messages: JSONRPCMessage[]): void {
    for (const message of messages) {
      try {
        this.#client.message(message)
      } catch (error) {
        this.#client.error(toError(error))
      }
    }
  }

  /** Starts the link; a worker that does not know the client yet hears its initialize, and the client nothing of it. */
  async open(link: WorkerLink): Promise<void> {
    const { transport, ask } = link
    transport.onmessage = (message, extra) => this.#receive(link, message, extra)
    transport.onerror = (error) => this.#client.error(error)
    await transport.start()
    const { initialize } = this.#ledger
    if (initialize === undefined) return
    const response = await ask('initialize', initialize.params)
    if (!('error' in response)) return
    throw new IntabError('worker_failed', `The new worker refused the session: ${response.error.message}`)
  }

  /** Brings the worker's session to where the last one was, and asks again what may be asked twice. */
  resume(link: WorkerLink): void {
    const { transport, ask } = link
    const report = (thrown: unknown): void => {
      // What ends with the link is repeated on the next.
      if (!transport.signal.aborted) this.#client.error(toError(thrown))
    }
    const { initialized, replay } = this.#ledger
    if (initialized) transport.send(initialized).catch(report)
    for (const { method, params } of replay) {
      ask(method, params).then((response) => {
        if ('error' in response) report(errorOf(response.error))
      }, report)
    }
    if (this.#ledger.lists.size > 0) {
      const tell = (messages: JSONRPCMessage[]): void => this.tell(messages)
      import('./lists.js').then(({ compareLists }) => compareLists(link, this.#ledger, tell)).catch(report)
    }
    for (const request of this.#ledger.resend()) {
      transport.send(request).catch((error: unknown) => {
        if (!transport.signal.aborted) this.#receive(link, failure(request.id, error))
      })
    }
  }

  #receive(link: WorkerLink, message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    if (isRequest(message)) {
      if (this.#ledger.opened(message)) this.#client.message(message, extra)
    } else if (isResponse(message)) {
      const cancel = this.#ledger.secondCancel(message)
      if (cancel) this.#confirm(link, cancel, message)
      else this.#answer(message)
    } else {
      if (this.#ledger.heard(message)) this.#client.message(message, extra)
    }
  }

  #answer(response: JSONRPCResponse): void {
    if (this.#ledger.answered(response)) this.#client.message(response)
  }

  /** A second cancel is refused both when the first one did it and when the task had ended before: the task tells. */
  #confirm({ transport, ask }: WorkerLink, cancel: JSONRPCRequest, refusal: JSONRPCResponse): void {
    ask('tasks/get', { taskId: cancel.params?.taskId }).then(
      (found) => {
        const done = 'result' in found && found.result.status === 'cancelled'
        this.#answer(done ? { ...found, id: cancel.id } : refusal)
      },
      () => {
        // When the link has ended, the next one gets the cancel once more.
        if (!transport.signal.aborted) this.#answer(refusal)
      }
    )
  }
}

const errorOf = ({ code, message, data }: { code: number; message: string; data?: unknown }): RpcError =>
  new RpcError(code, message, data as Json)
