// A tab that starts tasks, follows them over its own reloads, and answers when the test says so.

import '../../../src/demo/jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type ElicitResult, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { followTask, listQuestions, listTasks, runTask, WorkerTransport } from 'intab'
import url from './life.worker.ts?worker&url'
import { notes } from './side-log.js'

export interface Life {
  connected: Promise<void>
  /** Ids of the questions that this tab was asked, oldest first. */
  asked: string[]
  /** The generation of the worker that this tab talks to. */
  worker(): string | undefined
  start(tool: string, args?: Record<string, unknown>): Promise<string>
  /** Status and text of the end. */
  result(taskId: string): Promise<[status: string, text: string]>
  /** The status message of a task. */
  message(taskId: string): Promise<string | undefined>
  statuses(): Promise<Record<string, string>>
  /** Ids of all tasks. */
  all(): Promise<string[]>
  openQuestions(): Promise<string[]>
  /** Answers every question on the screen. */
  answer(result: ElicitResult): void
  notes(): Promise<string[]>
}

declare global {
  var life: Life
}

const client = new Client(
  { name: 'life', version: '0.0.0' },
  { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
)
const asked: string[] = []
const open: ((result: ElicitResult) => void)[] = []
client.setRequestHandler(ElicitRequestSchema, (_, { requestId }) => {
  asked.push(String(requestId))
  return new Promise<ElicitResult>((resolve) => open.push(resolve))
})

const search = new URLSearchParams(location.search)
const name = search.get('name') ?? 'life'
const options = { type: 'module', name, extendedLifetime: search.has('extended') } as const
const transport = new WorkerTransport(() =>
  search.has('dedicated') ? new Worker(url, options) : new SharedWorker(url, options)
)

globalThis.life = {
  connected: client.connect(transport),
  asked,
  worker: () => transport.worker,
  start: async (name, args = {}) => (await runTask(client, { name, arguments: args })).taskId,
  async result(taskId) {
    const run = await followTask(client, taskId)
    const { content } = await run.result()
    const [block] = content
    return [run.task.status, block?.type === 'text' ? block.text : '']
  },
  message: async (taskId) => (await followTask(client, taskId)).task.statusMessage,
  async statuses() {
    const { tasks } = await listTasks(client)
    return Object.fromEntries(tasks.map(({ taskId, status }) => [taskId, status]))
  },
  async all() {
    const ids: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: Awaited<ReturnType<typeof listTasks>> = await listTasks(client, cursor === '' ? {} : { cursor })
      ids.push(...page.tasks.map(({ taskId }) => taskId))
      cursor = page.nextCursor
    }
    return ids
  },
  openQuestions: async () => (await listQuestions(client)).map(({ requestId }) => requestId),
  answer: (result) => {
    for (const resolve of open.splice(0)) resolve(result)
  },
  notes
}
