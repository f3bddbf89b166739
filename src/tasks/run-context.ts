// The TaskContext of one run: every write carries the run's fence.

import type { CallToolResult, ElicitResult, ListRootsResult } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toError } from '../errors.js'
import type {
  Capability,
  Fence,
  Json,
  JsonObject,
  MessageQueue,
  Progress,
  StepJournal,
  TaskRecord,
  TaskStore,
  UpdateBus
} from '../types.js'
import { Answers } from './answers.js'
import { ask, assertCan, LENT_CALL } from './input-request.js'
import { Keys } from './journal.js'
import { Reporter } from './reporter.js'
import { fenceOf } from './status.js'
import { checkProgress, checkQuestion, checkSleep, checkStatus, checkTimeout } from './task-arguments.js'
import type { AskOptions, FormParams, SamplingParams, SamplingResult, TaskContext, UrlParams } from './task-context.js'
import { until } from '../time.js'
import type { Waiters } from './waiters.js'

/** Runs a step and keeps its value, or resolves with what an earlier attempt kept. A step that throws is not kept. */
export type Once = (step: { fence: Fence; key: string; signal: AbortSignal }, act: () => unknown) => Promise<unknown>

export interface Engine {
  tasks: TaskStore
  messages: MessageQueue
  steps: StepJournal
  bus: UpdateBus
  waiters: Waiters
  /** In place of `steps`: an engine on a server has a journal of its own. */
  once?: Once
  /** Why no tab can lend it tools: an engine on a server. */
  noTab?: ((tool: string) => Error) | undefined
  /** Told of what could not be handed to anybody. */
  onerror(error: Error, during: string): void
}

/** A handler may drop a promise of ours: what it would have told is in the signal or the task's end. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

export class RunContext implements TaskContext {
  readonly id: string
  readonly attempt: number
  readonly meta: JsonObject
  readonly signal: AbortSignal
  /** Rejects when the run asked for something else than what was recorded: it cannot go on. */
  readonly broken: Promise<never>
  #break!: (error: IntabError) => void
  readonly #engine: Engine
  readonly #task: TaskRecord
  readonly #fence: Fence
  readonly #controller: AbortController
  readonly #answers: Answers
  readonly #keys: Keys
  readonly #reporter: Reporter

  constructor(engine: Engine, task: TaskRecord, meta: JsonObject, controller: AbortController, resumes: boolean) {
    this.id = task.taskId
    this.attempt = task.attempt
    this.meta = meta
    this.signal = controller.signal
    this.#engine = engine
    this.#task = task
    this.#fence = fenceOf(task)
    this.#controller = controller
    this.#answers = new Answers(engine.messages, engine.bus, this.id, controller.signal)
    this.#keys = new Keys(resumes)
    this.#reporter = new Reporter(engine.tasks, this.#fence, this.#onfenced)
    this.broken = handled(
      new Promise<never>((_, reject) => {
        this.#break = reject
      })
    )
  }

  status(message: string): Promise<void> {
    return handled(this.#say(message))
  }

  progress(progress: Progress): void {
    this.#show(progress).catch((error: unknown) => this.#engine.onerror(toError(error), 'progress'))
  }

  elicit(params: FormParams, options: AskOptions = {}): Promise<ElicitResult> {
    if (typeof (params as Partial<FormParams> | undefined)?.requestedSchema !== 'object') {
      const what =
        "elicit() needs { message, requestedSchema: { type: 'object', properties: { … } } }; for a link there is elicitUrl()"
      return handled(Promise.reject(new IntabError('invalid_options', what)))
    }
    return handled(
      this.#ask('elicit', 'elicitation/create', () => ({ ...params, mode: 'form' }), ['elicitation.form'], options)
    ) as Promise<ElicitResult>
  }

  elicitUrl(params: UrlParams, options: AskOptions = {}): Promise<ElicitResult> {
    const shape = (key: string): object => ({ elicitationId: `${this.id}/${key}`, ...params, mode: 'url' })
    return handled(
      this.#ask('elicit', 'elicitation/create', shape, ['elicitation.url'], options)
    ) as Promise<ElicitResult>
  }

  createMessage<P extends SamplingParams>(params: P, options: AskOptions = {}): Promise<SamplingResult<P>> {
    const withTools = params.tools !== undefined || params.toolChoice !== undefined
    const needs: Capability[] = withTools ? ['sampling', 'sampling.tools'] : ['sampling']
    return handled(
      this.#ask('createMessage', 'sampling/createMessage', () => params, needs, options)
    ) as Promise<unknown> as Promise<SamplingResult<P>>
  }

  listRoots(options: Omit<AskOptions, 'task'> = {}): Promise<ListRootsResult> {
    return handled(
      this.#ask('listRoots', 'roots/list', () => ({}), ['roots'], options)
    ) as Promise<unknown> as Promise<ListRootsResult>
  }

  callTab(name: string, args: JsonObject = {}, options: Omit<AskOptions, 'task'> = {}): Promise<CallToolResult> {
    const refused = this.#engine.noTab?.(name)
    if (refused) return handled(Promise.reject(refused))
    const call = (): object => ({ name, arguments: args })
    return handled(
      this.#ask('callTab', LENT_CALL, call, [`tab:${name}`], options)
    ) as Promise<unknown> as Promise<CallToolResult>
  }

  notify({ method, params = {} }: { method: string; params?: JsonObject }): Promise<void> {
    return handled(
      this.#engine.messages.notify(this.#fence, method, params, this.#keys.next('notify')).then((written) => {
        if (!written) this.#onfenced()
      })
    )
  }

  step<T>(name: string, fn: () => T | Promise<T>): Promise<T> {
    // Without a name it would be kept under a number, which another order of steps gives to another.
    if (typeof name !== 'string' || typeof fn !== 'function') {
      return handled(Promise.reject(new IntabError('invalid_options', 'step() needs a name and a function')))
    }
    return handled(
      this.#keys.under('step', name, async (key) => {
        this.signal.throwIfAborted()
        const { once, steps } = this.#engine
        if (once) return once(this.#step(key), fn) as Promise<T>
        const known = this.attempt > 1 ? await steps.find(this.id, key) : undefined
        if (known !== undefined) return known.value as T
        const value = await fn()
        await this.#record(key, value as Json | undefined)
        return value
      })
    )
  }

  sleep(ms: number, { key: name }: { key?: string } = {}): Promise<void> {
    return handled(
      this.#keys.under('sleep', name, async (key) => {
        checkSleep(ms)
        this.signal.throwIfAborted()
        const { once, steps } = this.#engine
        if (once) return until(Number(await once(this.#step(key), () => Date.now() + ms)), this.signal, ms)
        const known = this.attempt > 1 ? await steps.find(this.id, key) : undefined
        const wake = typeof known?.value === 'number' ? known.value : Date.now() + ms
        // Also when it is known: a run that came to its wait got as far as the one before.
        if (known === undefined || wake > Date.now())
          await this.#record(key, wake, known === undefined ? wake - ms : known.at)
        // A clock that was set back must not lengthen the wait.
        await until(wake, this.signal, ms)
      })
    )
  }

  /** Resolves when every report is stored. */
  settled(): Promise<void> {
    return this.#reporter.settled()
  }

  async #say(statusMessage: string): Promise<void> {
    checkStatus(statusMessage)
    return this.#reporter.report({ statusMessage })
  }

  async #show(progress: Progress): Promise<void> {
    checkProgress(progress)
    return this.#reporter.report({ progress })
  }

  async #ask(
    kind: string,
    method: string,
    shape: (key: string) => object,
    needs: Capability[],
    { key: name, task, timeout }: AskOptions
  ): Promise<JsonObject> {
    const hosted: Capability[] = task === undefined ? [] : [kind === 'elicit' ? 'tasks.elicitation' : 'tasks.sampling']
    const all = [...needs, ...hosted]
    return this.#keys.under(kind, name, async (key) => {
      this.signal.throwIfAborted()
      checkTimeout(kind, timeout)
      const lent = method === LENT_CALL
      // Any tab may lend it, some time.
      if (!lent) assertCan(this.#task.capabilities, all)
      const params = { ...shape(key), ...(task && { task }) } as unknown as JsonObject
      checkQuestion(kind, params)
      const asking = {
        messages: this.#engine.messages,
        waiters: this.#engine.waiters,
        answers: this.#answers,
        owner: this.#task.owner,
        fence: this.#fence,
        signal: this.signal,
        onfenced: this.#onfenced
      }
      const draft = {
        key,
        method,
        params,
        needs: all,
        ...(timeout !== undefined && { timeout }),
        ...(lent && { lent })
      }
      return ask(asking, draft).catch((error: unknown) => {
        if (error instanceof IntabError && error.code === 'diverged') this.#break(error)
        throw error
      })
    })
  }

  #step(key: string): Parameters<Once>[0] {
    return { fence: this.#fence, key, signal: this.signal }
  }

  async #record(key: string, value: Json | undefined, at?: number): Promise<void> {
    if (await this.#engine.steps.record(this.#fence, key, value, at)) return
    this.#onfenced()
    throw this.signal.reason
  }

  readonly #onfenced = (): void => {
    this.#controller.abort(new IntabError('superseded', 'This run no longer has the task: it ended, or runs elsewhere'))
  }
}
