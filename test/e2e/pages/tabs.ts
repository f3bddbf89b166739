// A tab with the SDK's own Client: tests reach all of it through `globalThis.tab`. The URL says what the server runs in
// (`?host=`, by the names of tabs-hosts.ts; `fallback=` likewise) and who the user is (`?data=`).

import '../../../src/demo/jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import * as intab from 'intab'
import * as lend from 'intab/lend'
import { hosts } from './tabs-hosts.js'

/** A question as this tab was asked it. */
export interface Asked {
  id: string
  message: string
  state: 'open' | 'answered' | 'withdrawn'
}

export interface Tab {
  intab: typeof intab
  lend: typeof lend
  client: Client
  transport: intab.WorkerTransport
  states: intab.LinkState[]
  errors: string[]
  logged: unknown[]
  asked: Asked[]
  /** The error with which it did not connect. */
  connected: Promise<{ code: unknown; message: string } | undefined>
  /** What every question is answered with; undefined: they stay open until `answer`. */
  automatic: string | undefined
  answer(text: string): void
  /** The text of a plain call's result. */
  call(name: string, args?: Record<string, unknown>): Promise<string>
  /** Waits for a task; the text of its result. */
  follow(taskId: string): Promise<string>
  /** Kept by tests from one evaluation to the next. */
  kept: { result?: Promise<string>; last?: (what: 'answer' | 'call' | undefined) => void }
}

declare global {
  var tab: Tab
  /** Another tab in this page. */
  var newTab: () => Tab
}

type Content = Awaited<ReturnType<intab.TaskRun['result']>>['content']
const textOf = ([first]: Content): string => (first?.type === 'text' ? first.text : JSON.stringify(first))

const query = new URLSearchParams(location.search)
const hostOf = (name: string | null): intab.WorkerFactory | undefined => hosts[name as keyof typeof hosts]

globalThis.newTab = () => {
  const client = new Client(
    { name: 'tabs', version: '0.0.0' },
    { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
  )
  const data = query.get('data')
  const fallback = hostOf(query.get('fallback'))
  const transport = new intab.WorkerTransport(hostOf(query.get('host')) ?? hosts.shared, {
    ...(fallback && { fallback }),
    ...(data !== null && { data })
  })
  const open = new Map<string, (text: string) => void>()

  const made: Tab = {
    intab,
    lend,
    client,
    transport,
    states: [],
    errors: [],
    logged: [],
    asked: [],
    connected: Promise.resolve(undefined),
    automatic: undefined,
    kept: {},
    answer(text) {
      for (const answer of open.values()) answer(text)
    },
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 2 ** 31 - 1 })
      return textOf(result.content as Content)
    },
    async follow(taskId) {
      return textOf((await (await intab.followTask(client, taskId)).result()).content)
    }
  }

  client.setRequestHandler(ElicitRequestSchema, ({ params }, { requestId, signal }) => {
    const asked: Asked = { id: String(requestId), message: params.message, state: 'open' }
    made.asked.push(asked)
    return new Promise((resolve) => {
      const answer = (text: string): void => {
        open.delete(asked.id)
        asked.state = 'answered'
        resolve({ action: 'accept', content: { text } })
      }
      open.set(asked.id, answer)
      signal.addEventListener('abort', () => {
        open.delete(asked.id)
        asked.state = 'withdrawn'
      })
      if (made.automatic !== undefined) answer(made.automatic)
    })
  })
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void made.logged.push(params.data))
  client.onerror = (error) => made.errors.push(error.message)
  transport.onstatechange = (state) => made.states.push(state)
  made.connected = client.connect(transport).then(
    () => undefined,
    (error: Error & { code?: unknown }) => ({ code: error.code, message: error.message })
  )
  return made
}

globalThis.tab = globalThis.newTab()
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) console.info('restored')
})
