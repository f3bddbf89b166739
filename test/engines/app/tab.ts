// A tab as an app has it; scenarios reach it through `globalThis.app`. The URL says which worker it makes (`?host=`), and
// which task it starts by itself (`?start=`).

import './jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import * as intab from 'intab'

/** What a scenario sees of the tab; all of it is plain JSON. */
export interface App {
  /** The error with which it did not connect. */
  connected: Promise<{ code: string; message: string } | undefined>
  /** Milliseconds that connecting took. */
  took: number
  state(): intab.LinkState
  /** The generation of the worker. */
  worker(): string
  /** Ids of the questions that are on the screen. */
  shown(): string[]
  /** All that were ever asked, with the milliseconds since the page began to load. */
  asked: { id: string; at: number }[]
  errors: string[]
  /** Answers all that is on the screen. */
  answer(text: string): void
  answerOne(id: string, text: string): void
  /** Answers at once whatever is asked from now on. */
  automatic: string | undefined
  call(name: string, args?: Record<string, unknown>): Promise<string>
  start(name: string, args?: Record<string, unknown>): Promise<string>
  /** Waits for the end of a task; its status and the text of its result. */
  follow(taskId: string): Promise<[status: string, text: string]>
  /** Follows without waiting; `followed` has the end once there is one. */
  keepFollowing(taskId: string): void
  followed: Record<string, [status: string, text: string]>
  cancel(taskId: string): Promise<void>
  remove(taskId: string): Promise<void>
  statuses(): Promise<Record<string, string>>
  /** Its status, with the reason where there is one. */
  status(taskId: string): Promise<[status: string, message: string | undefined]>
  questions(): Promise<string[]>
  /** Progress of every task, as `watchTasks` tells it. */
  progress: Record<string, number[]>
  /** Milliseconds from the end of the worker to the next answer of a plain call. */
  die(): Promise<number>
  /** Dies so many times in a row, without waiting; `deaths` has what `die` returned. */
  dieOften(times: number): void
  deaths: number[]
  /**
   * Notes in `outlived` the wall clock when the next worker has answered a call, unless this tab has one of its own, and when
   * this task has ended.
   */
  outlive(taskId: string): void
  outlived: { answered?: number; told?: number }
  /** Empty once it has died often enough; else how far it got. */
  dying(): string[]
  /** The page came back from the back/forward cache. */
  returned: boolean
}

declare global {
  var app: App
}

const dedicated = () => new Worker(new URL('./tab.worker.ts', import.meta.url), { type: 'module', name: 'tab' })
const shared = () => new SharedWorker(new URL('./tab.worker.ts', import.meta.url), { type: 'module', name: 'tab' })
const hosts: Record<string, intab.WorkerFactory> = {
  next: () => new SharedWorker(new URL('./next.worker.ts', import.meta.url), { type: 'module', name: 'tab' }),
  throws: () => new SharedWorker(new URL('./throws.worker.ts', import.meta.url), { type: 'module' }),
  missing: () => new SharedWorker('/assets/missing.js', { type: 'module' })
}

const query = new URLSearchParams(location.search)
const client = new Client(
  { name: 'engines', version: '1.0.0' },
  { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
)
const began = performance.now()
const open = new Map<string, (text: string) => void>()
const transport = new intab.WorkerTransport(hosts[query.get('host') ?? ''] ?? shared, { fallback: dedicated })

const textOf = (result: unknown): string => {
  const [block] = (result as { content: { type: string; text?: string }[] }).content
  return block?.text ?? ''
}
let left = 0
const nextState = (): Promise<void> => new Promise((resolve) => (transport.onstatechange = () => resolve()))
const long = { timeout: 2 ** 31 - 1 }

client.setRequestHandler(ElicitRequestSchema, (_, { requestId, signal }) => {
  const id = String(requestId)
  app.asked.push({ id, at: performance.now() })
  return new Promise((resolve) => {
    const answer = (text: string): void => {
      open.delete(id)
      resolve({ action: 'accept', content: { text } })
    }
    open.set(id, answer)
    signal.addEventListener('abort', () => open.delete(id))
    if (app.automatic !== undefined) answer(app.automatic)
  })
})
client.onerror = (error) => app.errors.push(error.message)

globalThis.app = {
  connected: client.connect(transport).then(
    () => {
      app.took = performance.now() - began
      return intab
        .watchTasks(client, {
          ontask: ({ taskId, progress }) => {
            if (progress) (app.progress[taskId] ??= []).push(progress.progress)
          }
        })
        .then(() => undefined)
    },
    (error: Error & { code?: string }) => {
      app.took = performance.now() - began
      return { code: String(error.code), message: error.message }
    }
  ),
  took: 0,
  state: () => transport.state,
  worker: () => transport.worker ?? '',
  shown: () => [...open.keys()],
  asked: [],
  errors: [],
  answer: (text) => {
    for (const answer of open.values()) answer(text)
  },
  answerOne: (id, text) => open.get(id)?.(text),
  automatic: undefined,
  call: async (name, args = {}) => textOf(await client.callTool({ name, arguments: args }, undefined, long)),
  start: async (name, args = {}) => (await intab.runTask(client, { name, arguments: args })).taskId,
  async follow(taskId) {
    const run = await intab.followTask(client, taskId)
    return run.result().then(
      (result) => [run.task.status, textOf(result)],
      (error: Error) => [run.task.status, error.message]
    )
  },
  keepFollowing(taskId) {
    app.follow(taskId).then(
      (end) => (app.followed[taskId] = end),
      (error: Error) => app.errors.push(error.message)
    )
  },
  followed: {},
  cancel: async (taskId) => (await intab.followTask(client, taskId)).cancel().then(() => undefined),
  remove: (taskId) => intab.deleteTask(client, taskId),
  async status(taskId) {
    const { status, statusMessage } = (await intab.describeTask(client, taskId)).task
    return [status, statusMessage]
  },
  async statuses() {
    const found: Record<string, string> = {}
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Awaited<ReturnType<typeof intab.listTasks>> = await intab.listTasks(client, cursor ? { cursor } : {})
      for (const { taskId, status } of page.tasks) found[taskId] = status
      cursor = page.nextCursor
    }
    return found
  },
  questions: async () => (await intab.listQuestions(client)).map(({ requestId }) => requestId),
  progress: {},
  async die() {
    const before = performance.now()
    await app.call('die').catch(() => undefined)
    await app.call('version')
    return performance.now() - before
  },
  dieOften(times) {
    app.deaths = []
    left = times
    const next = async (): Promise<void> => {
      for (; left > 0; left--) app.deaths.push(await app.die())
    }
    next().catch((error: Error) => app.errors.push(error.message))
  },
  deaths: [],
  outlive(taskId) {
    const before = app.worker()
    const next = async (): Promise<void> => {
      if (transport.kind === 'shared-worker') {
        while (app.worker() === before || app.state() !== 'connected') await nextState()
        await app.call('version')
        app.outlived.answered = Date.now()
      }
      await app.follow(taskId)
      app.outlived.told = Date.now()
    }
    next().catch((error: Error) => app.errors.push(error.message))
  },
  outlived: {},
  dying: () => (left === 0 ? [] : [`${left} left`, app.state(), app.worker(), ...app.errors]),
  returned: false
}
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) app.returned = true
})
const ownTask = query.get('start')
if (ownTask !== null)
  app.connected.then(() => app.start(ownTask)).catch((error: Error) => app.errors.push(error.message))
