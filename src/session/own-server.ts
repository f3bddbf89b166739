// The part of a server that every session needs, for a worker whose tools are all task tools: it need not load the SDK's.
// It answers as the SDK's does, which test/differential/inner-servers.test.ts holds.

import type { JSONRPCMessage, JSONRPCRequest, Result } from '@modelcontextprotocol/sdk/types.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { methodNotFound, RPC, RpcError, toError } from '../errors.js'
import { failure } from '../link/json-rpc.js'
import * as requests from '../protocol/requests.js'
import * as results from '../protocol/results.js'
import type { Json, JsonObject } from '../types.js'
import type { InnerServer } from './inner-server.js'
import { capabilities, type Served, serverInfo } from './options.js'
import { parseParams } from './parse-params.js'

interface Pending {
  resolve(result: Result): void
  reject(error: Error): void
}

type Response = Exclude<JSONRPCMessage, { method: string }>

export class OwnServer implements InnerServer {
  onerror: ((error: Error) => void) | undefined
  readonly #served: Pick<Served, 'options' | 'tools'>
  readonly #pending = new Map<number, Pending>()
  #transport: Transport | undefined
  #next = 0

  constructor(served: Pick<Served, 'options' | 'tools'>) {
    this.#served = served
  }

  capabilities(): JsonObject {
    return { ...capabilities }
  }

  async connect(transport: Transport): Promise<void> {
    this.#transport = transport
    transport.onmessage = (message) => this.#take(message)
    transport.onerror = (error) => this.onerror?.(error)
    transport.onclose = () => {
      for (const { reject } of this.#pending.values()) reject(new RpcError(-32000, 'Connection closed'))
      this.#pending.clear()
    }
    await transport.start()
  }

  request(method: string, params: JsonObject): Promise<Result> {
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#send({ jsonrpc: '2.0', id, method, params }).catch((error: unknown) => {
        this.#pending.delete(id)
        reject(toError(error))
      })
    })
  }

  async close(): Promise<void> {
    await this.#transport?.close()
  }

  async #send(message: JSONRPCMessage): Promise<void> {
    if (this.#transport === undefined) throw new RpcError(-32000, 'Not connected')
    await this.#transport.send(message)
  }

  #take(message: JSONRPCMessage): void {
    if (!('method' in message)) this.#settle(message)
    // Notifications are taken note of where a session is opened; here is nothing that one could change.
    else if ('id' in message) {
      this.#send(this.#respond(message)).catch((error: unknown) =>
        this.onerror?.(new Error(`Failed to send response: ${toError(error).message}`))
      )
    }
  }

  #settle(response: Response): void {
    const pending = this.#pending.get(Number(response.id))
    if (pending === undefined) {
      this.onerror?.(new Error(`Received a response for an unknown message ID: ${JSON.stringify(response)}`))
      return
    }
    this.#pending.delete(Number(response.id))
    if ('error' in response) {
      const { code, message, data } = response.error
      return pending.reject(new RpcError(code, message, data as Json))
    }
    const parsed = results.result().safeParse(response.result)
    if (parsed.success) pending.resolve(parsed.data)
    else pending.reject(parsed.error)
  }

  #respond(request: JSONRPCRequest): JSONRPCMessage {
    const { id } = request
    try {
      return { jsonrpc: '2.0', id, result: this.#answer(request) }
    } catch (error) {
      return failure(id, error)
    }
  }

  #answer(request: JSONRPCRequest): Result {
    const { options, tools } = this.#served
    switch (request.method) {
      case 'initialize': {
        const { protocolVersion } = parseParams(requests.initialize(), request).params
        const known = requests.legacyVersions.find((version) => version === protocolVersion)
        return {
          protocolVersion: known ?? requests.legacyVersions[0],
          capabilities: this.capabilities(),
          serverInfo: serverInfo(options),
          ...(options.instructions && { instructions: options.instructions })
        }
      }
      case 'ping':
        parseParams(requests.plain(), request)
        return {}
      case 'logging/setLevel':
        // Nobody here sends logs.
        parseParams(requests.setLevel(), request)
        return {}
      case 'tools/list':
        parseParams(requests.paginated(), request)
        return { tools: [...tools.values()].map(({ listed }) => listed) }
      case 'tools/call': {
        // Calls of tools that are there never come so far.
        const { name } = parseParams(requests.toolCall(), request.params ?? {})
        const text = `MCP error ${RPC.invalidParams}: Tool ${name} not found`
        return { content: [{ type: 'text', text }], isError: true }
      }
    }
    throw methodNotFound('Method not found')
  }
}
