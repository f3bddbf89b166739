// What a task tool's handler holds on a server of the SDK's: nothing here outlives the process but the task itself.

import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { type ElicitResult, ErrorCode, type ListRootsResult, McpError } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, isProtocolError, RpcError, toErrorObject } from '../errors.js'
import { answeredError } from '../session/check-answer.js'
import { capabilitiesOf } from '../session/capabilities.js'
import { RELATED_TASK, withRelatedTask } from '../session/project-task.js'
import { assertCan } from '../tasks/input-request.js'
import { Keys } from '../tasks/journal.js'
import { checkProgress, checkQuestion, checkSleep, checkStatus, checkTimeout } from '../tasks/task-arguments.js'
import type {
  AskOptions,
  FormParams,
  SamplingParams,
  SamplingResult,
  TaskContext,
  UrlParams
} from '../tasks/task-context.js'
import { after, until } from '../time.js'
import type { Capability, JsonObject, Progress } from '../types.js'
import type { Call, StoredTask } from './stored-task.js'

/** The SDK's own 60 s, which it counts from the moment of asking, would end a person's thinking. */
const asLongAsItTakes = 2 ** 31 - 1

/** A handler may drop a promise of ours: what it would have told is in the signal or the task's end. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

const methods: Readonly<Record<string, string>> = {
  elicit: 'elicitation/create',
  createMessage: 'sampling/createMessage',
  listRoots: 'roots/list'
}

/** What the client answered, without the words that the SDK puts before it. */
function asSent(method: string, thrown: unknown): unknown {
  if (!isProtocolError(thrown)) return thrown
  const { code, message, data } = answeredError(method, toErrorObject(thrown))
  return new RpcError(code, message, data)
}

export class SdkTaskContext implements TaskContext {
  readonly id: string
  readonly attempt = 1
  readonly meta: JsonObject
  readonly signal: AbortSignal
  readonly #call: Call
  readonly #task: StoredTask
  readonly #keys = new Keys(false)
  #open = 0

  constructor(call: Call, task: StoredTask, signal: AbortSignal) {
    this.id = task.id
    this.meta = call.meta
    this.signal = signal
    this.#call = call
    this.#task = task
  }

  status(message: string): Promise<void> {
    return handled(this.#say(message))
  }

  progress(progress: Progress): void {
    const { server, progressToken } = this.#call
    try {
      checkProgress(progress)
    } catch (error) {
      return this.#task.onerror(error)
    }
    if (progressToken === undefined || !server.isConnected()) return
    const _meta = { [RELATED_TASK]: { taskId: this.id } }
    server.server
      .notification({ method: 'notifications/progress', params: { ...progress, progressToken, _meta } })
      .catch((error: unknown) => this.#task.onerror(error))
  }

  elicit(params: FormParams, options: AskOptions = {}): Promise<ElicitResult> {
    const { server } = this.#call.server
    return this.#ask('elicit', ['elicitation.form'], options, async (ask) => {
      checkQuestion('elicit', params)
      return server.elicitInput({ ...params, mode: 'form' }, ask)
    })
  }

  elicitUrl(params: UrlParams, options: AskOptions = {}): Promise<ElicitResult> {
    const { server } = this.#call.server
    return this.#ask('elicit', ['elicitation.url'], options, (ask, key) =>
      server.elicitInput({ elicitationId: `${this.id}/${key}`, ...params, mode: 'url' }, ask)
    )
  }

  createMessage<P extends SamplingParams>(params: P, options: AskOptions = {}): Promise<SamplingResult<P>> {
    const { server } = this.#call.server
    const withTools = params.tools !== undefined || params.toolChoice !== undefined
    const needs: Capability[] = withTools ? ['sampling', 'sampling.tools'] : ['sampling']
    return this.#ask('createMessage', needs, options, (ask) => server.createMessage(params, ask)) as Promise<
      SamplingResult<P>
    >
  }

  listRoots(options: Omit<AskOptions, 'task'> = {}): Promise<ListRootsResult> {
    const { server } = this.#call.server
    return this.#ask('listRoots', ['roots'], options, (ask) => server.listRoots({}, ask))
  }

  async callTab(name: string): Promise<never> {
    throw new IntabError(
      'invalid_options',
      `task.callTab(${name}): only a server made by serve() has tabs that lend tools`
    )
  }

  /** Not by the server's own `notification`, which needs a connection even to put something into a queue. */
  notify({ method, params = {} }: { method: string; params?: JsonObject }): Promise<void> {
    const { queue, sessionId } = this.#call
    const message = { jsonrpc: '2.0' as const, method, params: withRelatedTask(params, this.id) }
    return handled(queue.enqueue(this.id, { type: 'notification', message, timestamp: Date.now() }, sessionId))
  }

  step<T>(name: string, fn: () => T | Promise<T>): Promise<T> {
    return handled(
      this.#keys.under('step', name, async () => {
        this.signal.throwIfAborted()
        return fn()
      })
    )
  }

  sleep(ms: number, { key }: { key?: string } = {}): Promise<void> {
    return handled(
      this.#keys.under('sleep', key, async () => {
        checkSleep(ms)
        await until(Date.now() + ms, this.signal, ms)
      })
    )
  }

  async #say(message: string): Promise<void> {
    checkStatus(message)
    return this.#report(message)
  }

  #report(message?: string): Promise<void> {
    return this.#task.update(() => (this.#open > 0 ? 'input_required' : 'working'), message)
  }

  #ask<T>(
    kind: string,
    needs: Capability[],
    { key: name, task, timeout }: AskOptions,
    send: (options: RequestOptions, key: string) => Promise<T>
  ): Promise<T> {
    return handled(
      this.#keys.under(kind, name, async (key) => {
        this.signal.throwIfAborted()
        checkTimeout(kind, timeout)
        this.#assertCan(needs, task !== undefined)
        // The SDK never takes its listener off a signal, so each question has one of its own.
        const own = new AbortController()
        const abort = (): void => own.abort(this.signal.reason)
        this.signal.addEventListener('abort', abort)
        // Nor does it stop its timer when the answer to a queued question comes, and then cancels what is answered.
        const late = (): void =>
          own.abort(McpError.fromError(ErrorCode.RequestTimeout, 'Request timed out', { timeout }))
        const stop = timeout === undefined ? undefined : after(timeout, late)
        this.#open += 1
        try {
          const answer = send({ relatedTask: { taskId: this.id }, timeout: asLongAsItTakes, signal: own.signal }, key)
          // Queued first: who sees `input_required` and finds nothing waits one more poll.
          const [answered] = await Promise.all([answer, this.#report()])
          return answered
        } catch (error) {
          // tasks/cancel clears the queue, and with it this question, before anybody tells this run.
          await this.#task.look()
          this.signal.throwIfAborted()
          throw asSent(methods[kind] ?? kind, error)
        } finally {
          stop?.()
          this.signal.removeEventListener('abort', abort)
          this.#open -= 1
          if (!this.signal.aborted) await this.#report()
        }
      })
    )
  }

  #assertCan(needs: Capability[], asTask: boolean): void {
    if (asTask) {
      throw new IntabError(
        'missing_capability',
        'A server of the SDK cannot follow a task of the client: ask without `task`'
      )
    }
    assertCan(capabilitiesOf(this.#call.server.server.getClientCapabilities()), needs)
  }
}
