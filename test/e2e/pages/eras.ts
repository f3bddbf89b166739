// A tab with the Client of either SDK: of version 1, which speaks 2025-11-25, or with `?v2`, pinned to 2026-07-28.
// With `?mute` it is of version 1 and answers no questions.

import '../../../src/demo/jitless.js'
import { Client as ClientOfV2, type ElicitResult } from '@modelcontextprotocol/client'
import { Client as ClientOfV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { type ConnectedClient, followTask, listTasks, runTask, type TaskRun, watchTasks, WorkerTransport } from 'intab'

export interface Eras {
  /** The revision that the connection speaks. */
  connected: Promise<string | undefined>
  /** Every question that this tab was asked, oldest first. */
  questions: string[]
  /** Statuses of every task that this tab heard of. */
  heard: string[]
  /** Starts confirm_delete; resolves with the id of the task, which this tab follows. */
  start(filename: string): Promise<string>
  follow(taskId: string): Promise<string>
  /** What the task of this tab came to, and in which run of the handler. */
  result(): Promise<{ content: unknown; attempt: number | undefined }>
  list(): Promise<string[]>
  /** Answers the oldest question that is still open. */
  answer(result: ElicitResult): void
}

declare global {
  var eras: Eras
}

const info = { name: 'eras', version: '0.0.0' }
const capabilities = { elicitation: { form: {} } }
const questions: string[] = []
const heard: string[] = []
const open: ((result: ElicitResult) => void)[] = []

function ask(message: string): Promise<ElicitResult> {
  questions.push(message)
  return new Promise((resolve) => open.push(resolve))
}

const transport = new WorkerTransport(
  () => new SharedWorker(new URL('./eras.worker.ts', import.meta.url), { type: 'module', name: 'eras' })
)

function ofV1(): { client: ConnectedClient; connected: Promise<string | undefined> } {
  const isMute = location.search === '?mute'
  const jsonSchemaValidator = new CfWorkerJsonSchemaValidator()
  const client = new ClientOfV1(info, { jsonSchemaValidator, ...(!isMute && { capabilities }) })
  if (!isMute) client.setRequestHandler(ElicitRequestSchema, ({ params }) => ask(params.message))
  return { client, connected: client.connect(transport).then(() => '2025-11-25') }
}

function ofV2(): { client: ConnectedClient; connected: Promise<string | undefined> } {
  const client = new ClientOfV2(info, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } })
  client.setRequestHandler('elicitation/create', ({ params }) => ask(params.message))
  return { client, connected: client.connect(transport).then(() => client.getNegotiatedProtocolVersion()) }
}

const { client, connected } = location.search === '?v2' ? ofV2() : ofV1()
let run: TaskRun | undefined

async function begin(made: Promise<TaskRun>): Promise<string> {
  run = await made
  // Its questions come to this tab from now on.
  run.result().catch(() => undefined)
  return run.taskId
}

globalThis.eras = {
  connected: connected.then(async (version) => {
    await watchTasks(client, { ontask: ({ status }) => heard.push(status) })
    return version
  }),
  questions,
  heard,
  start: (filename) => begin(runTask(client, { name: 'confirm_delete', arguments: { filename } })),
  follow: (taskId) => begin(followTask(client, taskId)),
  async result() {
    const result = await run?.result()
    return { content: result?.content, attempt: run?.task.attempt }
  },
  list: async () => (await listTasks(client)).tasks.map(({ taskId }) => taskId),
  answer: (result) => open.shift()?.(result)
}
