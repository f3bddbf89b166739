// One client that speaks Streamable HTTP: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { isRequest, isResponse } from '../link/json-rpc.js'
import { memoryEvents } from './event-store.js'

const relatedTask = 'io.modelcontextprotocol/related-task'

/** Milliseconds after which a client that lost its stream should come again. */
const retryInterval = 500

type Question = Extract<JSONRPCMessage, { method: string; id: RequestId }>

/** The SDK's transport, which drops what it has no stream for; a question of a task waits here for one instead. */
export class HttpSession implements Transport {
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  readonly id = crypto.randomUUID() as string
  readonly #http: WebStandardStreamableHTTPServerTransport
  readonly #parked = new Map<RequestId, Question>()
  /** Progress tokens of the requests that wait for an answer. */
  readonly #tokens = new Map<unknown, RequestId>()
  /** Open streams that a client asked for with GET. */
  #listening = 0

  constructor() {
    this.#http = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.id,
      eventStore: memoryEvents(),
      retryInterval
    })
  }

  async start(): Promise<void> {
    this.#http.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
      const token = isRequest(message) ? message.params?._meta?.progressToken : undefined
      if (isRequest(message) && token !== undefined) this.#tokens.set(token, message.id)
      this.onmessage?.(message, extra)
      if (isRequest(message) && message.method === 'tasks/result') this.#unpark(message.params?.taskId, message.id)
    }
    this.#http.onclose = () => this.onclose?.()
    this.#http.onerror = (error) => this.onerror?.(error)
    await this.#http.start()
  }

  async send(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    if (relatedRequestId !== undefined) return this.#http.send(message, { relatedRequestId })
    if (isResponse(message)) {
      for (const [token, id] of this.#tokens) if (id === message.id) this.#tokens.delete(token)
      return this.#http.send(message)
    }
    if (message.method === 'notifications/progress') {
      const waiting = this.#tokens.get(message.params?.progressToken)
      if (waiting !== undefined) return this.#http.send(message, { relatedRequestId: waiting })
    }
    if (this.#listening > 0) return this.#http.send(message)
    if (isRequest(message)) this.#parked.set(message.id, message)
    else if (message.method === 'notifications/cancelled') this.#parked.delete(message.params?.requestId as RequestId)
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  /** `onend` of the returned handle is to be called when the response was written or its reader is gone. */
  async handle(request: Request): Promise<{ response: Response; onend(): void }> {
    const response = await this.#http.handleRequest(request)
    if (request.method !== 'GET' || !response.ok) return { response, onend: () => undefined }
    this.#listening += 1
    this.#unpark()
    return {
      response,
      onend: () => {
        this.#listening -= 1
      }
    }
  }

  /** Sends what waits for this task, or all of it, on the stream of a request or on that of the client's GET. */
  #unpark(taskId?: unknown, relatedRequestId?: RequestId): void {
    for (const [id, question] of this.#parked) {
      const meta = question.params?._meta?.[relatedTask]
      if (taskId !== undefined && meta?.taskId !== taskId) continue
      this.#parked.delete(id)
      this.#http.send(question, relatedRequestId === undefined ? {} : { relatedRequestId }).catch((error: unknown) => {
        this.onerror?.(error as Error)
      })
    }
  }
}
