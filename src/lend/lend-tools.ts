// The tab's half: tells the worker what this page lends and whether somebody looks at it, and runs what is called.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type {
  CallToolResult,
  JSONRPCRequest,
  RequestId,
  Tool,
  ToolAnnotations
} from '@modelcontextprotocol/sdk/types.js'
import { IntabError, hasCode, RPC, RpcError, toError, toErrorObject } from '../errors.js'
import { plainJson } from '../plain-json.js'
import { LEND, LENT_CALL, type Lending, notLent } from './lend.js'
import { ask, type ConnectedClient } from '../protocol/connected-client.js'

/** A tool that this page runs. */
export interface LendableTool {
  /** Unlike those of the worker's own tools. */
  name: string
  /** For people. */
  title?: string
  /** For the model. */
  description?: string
  /** JSON Schema of an object; default: any object. The worker checks calls against it. */
  inputSchema?: Tool['inputSchema']
  /** JSON Schema of the result's `structuredContent`; listed, not checked. */
  outputSchema?: Tool['outputSchema']
  /** With `readOnlyHint` or `idempotentHint` a call is made again, in another tab, when this one closes while it runs. */
  annotations?: ToolAnnotations
  /** `signal` aborts when nobody needs the result any more. What it throws becomes an `isError` result. */
  run(args: Record<string, unknown>, call: { signal: AbortSignal }): CallToolResult | Promise<CallToolResult>
}

/** How long a page lends its tools. */
export interface LendToolsOptions {
  /** Ends the lending when it aborts; calls that run go on. */
  signal?: AbortSignal
}

const lenders = new WeakMap<ConnectedClient, Lender>()

/**
 * Lends tools of this page to the worker, which lists them among its own and calls them in the visible tab that had the
 * focus last. Resolves with the way to stop, once they are listed; lends them to the next worker as well.
 * Rejects with an IntabError `duplicate_tool` for a name that this client lends already, with `duplicate_tool` in the
 * error's `data` for one of the worker's own; nothing is lent then.
 */
export async function lendTools(
  client: ConnectedClient,
  tools: readonly LendableTool[],
  { signal }: LendToolsOptions = {}
): Promise<() => void> {
  signal?.throwIfAborted()
  const lender = lenderOf(client)
  lender.add(tools)
  const stop = (): void => {
    signal?.removeEventListener('abort', stop)
    if (lender.remove(tools)) lender.tell().catch((error: unknown) => client.onerror?.(toError(error)))
  }
  try {
    await lender.tell()
  } catch (error) {
    lender.remove(tools)
    if (!hasCode(error, RPC.methodNotFound)) throw error
    throw new IntabError('invalid_options', 'This server takes no tools of a tab: lendTools needs one made by serve()')
  }
  if (signal?.aborted) stop()
  else signal?.addEventListener('abort', stop, { once: true })
  return stop
}

/** A client that connected anew has another transport. */
function lenderOf(client: ConnectedClient): Lender {
  const transport = client.transport as Transport | undefined
  if (transport === undefined) {
    throw new IntabError('invalid_options', 'lendTools needs a connected client: await client.connect(…) first')
  }
  const known = lenders.get(client)
  if (known?.transport === transport) return known
  const lender = new Lender(client, transport)
  lenders.set(client, lender)
  return lender
}

class Lender {
  readonly transport: Transport
  readonly #client: ConnectedClient
  readonly #tools = new Map<string, LendableTool>()
  readonly #running = new Map<RequestId, AbortController>()
  readonly #page = typeof document === 'undefined' ? undefined : document
  #focusedAt = 0

  constructor(client: ConnectedClient, transport: Transport) {
    this.#client = client
    this.transport = transport
    const { onmessage } = transport
    transport.onmessage = (message, extra) => {
      if ('method' in message && 'id' in message && message.method === LENT_CALL) return this.#run(message)
      onmessage?.(message, extra)
      if (!('method' in message) || message.method !== 'notifications/cancelled') return
      this.#running
        .get(message.params?.requestId as RequestId)
        ?.abort(new IntabError('aborted', 'Nobody needs this call'))
    }
    const { onclose } = transport
    transport.onclose = () => {
      this.#tools.clear()
      this.#listen('removeEventListener')
      for (const controller of this.#running.values())
        controller.abort(new IntabError('closed', 'The client was closed'))
      onclose?.()
    }
    this.#noteFocus()
  }

  add(tools: readonly LendableTool[]): void {
    const names = new Set(this.#tools.keys())
    for (const { name, run, inputSchema } of tools) {
      if (typeof name !== 'string' || name === '' || typeof run !== 'function') {
        throw new IntabError(
          'invalid_options',
          `A lent tool needs a name and a function run (got ${JSON.stringify(name)})`
        )
      }
      if (inputSchema !== undefined && inputSchema.type !== 'object') {
        throw new IntabError(
          'invalid_options',
          `Tool ${name}: inputSchema must be a JSON Schema of type 'object' (got ${JSON.stringify(inputSchema.type)})`
        )
      }
      if (names.has(name)) throw new IntabError('duplicate_tool', `This client lends a tool ${name} already`, { name })
      names.add(name)
    }
    for (const tool of tools) this.#tools.set(tool.name, tool)
    this.#listen('addEventListener')
  }

  /** False when none of them was there. */
  remove(tools: readonly LendableTool[]): boolean {
    const mine = tools.filter((tool) => this.#tools.get(tool.name) === tool)
    for (const { name } of mine) this.#tools.delete(name)
    if (this.#tools.size === 0) this.#listen('removeEventListener')
    return mine.length > 0
  }

  async tell(): Promise<void> {
    const lending: Lending = {
      tools: [...this.#tools.values()].map(({ run: _run, inputSchema = { type: 'object' }, ...tool }) => ({
        ...tool,
        inputSchema
      })),
      page: this.#page === undefined ? '' : this.#page.title || this.#page.location.pathname,
      visible: this.#page?.visibilityState !== 'hidden',
      focusedAt: this.#focusedAt
    }
    await ask(this.#client, LEND, { ...lending })
  }

  readonly #onlook = (): void => {
    this.#noteFocus()
    if (this.#tools.size === 0) return
    this.tell().catch((error: unknown) => this.#client.onerror?.(toError(error)))
  }

  #listen(how: 'addEventListener' | 'removeEventListener'): void {
    this.#page?.[how]('visibilitychange', this.#onlook)
    this.#page?.defaultView?.[how]('focus', this.#onlook)
  }

  #noteFocus(): void {
    if (this.#page?.hasFocus()) this.#focusedAt = Date.now()
  }

  #run({ id, params }: JSONRPCRequest): void {
    const controller = new AbortController()
    this.#running.set(id, controller)
    this.#answer(params ?? {}, controller.signal)
      .then(
        (result) => ({ result }),
        (error: unknown) => ({ error: toErrorObject(error) })
      )
      // A call that was withdrawn is answered to nobody.
      .then((answer) =>
        controller.signal.aborted ? undefined : this.transport.send({ jsonrpc: '2.0', id, ...answer })
      )
      .catch((error: unknown) => this.#client.onerror?.(toError(error)))
      .finally(() => this.#running.delete(id))
  }

  async #answer(params: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    const tool = this.#tools.get(String(params['name']))
    if (tool === undefined) {
      throw new RpcError(RPC.methodNotFound, `This page lends no tool ${String(params['name'])} any more`, notLent)
    }
    try {
      const result = await tool.run((params['arguments'] ?? {}) as Record<string, unknown>, { signal })
      // What no port can carry would be answered to nobody.
      return plainJson(result, `The result of ${tool.name}`).value as unknown as CallToolResult
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: toError(error).message }] }
    }
  }
}
