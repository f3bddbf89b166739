// A tab of the soak: it starts tasks, follows, cancels, and a person in front of it answers sooner or later, or never.

import '../../../src/demo/jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type ElicitResult, ElicitRequestSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { followTask, listQuestions, runTask, takeQuestion, WorkerTransport } from 'intab'
import { type Ending, type Job, parseMessage, type Sign } from '../soak/facts.js'
import { takeNotes } from './side-log.js'
import url from './soak.worker.ts?worker&url'

export type Manner = 'calm' | 'hurried' | 'away'

export interface Soak {
  connected: Promise<void>
  start(tool: string, job: Job, ttl?: number): Promise<string>
  follow(taskId: string): Promise<Ending>
  /** `cancelled`, or the code of the refusal. */
  cancel(taskId: string): Promise<string | number>
  /** Brings one of the open questions to this tab, if there is one: the n-th, counted round. */
  take(n: number): Promise<void>
  /**
   * `calm`: answers half of the questions after a while, and leaves the others. `hurried`: answers whatever stands on
   * the screen, and from now on at once. `away`: answers nothing.
   */
  behave(how: Manner): void
  /** How many questions stand on the screen. */
  onScreen(): number
  takeNotes(): Promise<string[]>
}

declare global {
  var soak: Soak
  /** Given by the test. */
  var tell: (sign: Sign) => Promise<void>
}

const parameters = new URLSearchParams(location.search)
const tab = parameters.get('tab')
let manner: Manner = 'calm'
let given = 0
/** On the screen. */
const waiting = new Map<string, () => void>()
/** What the person answered, by request id, until it is acknowledged. */
const answers = new Map<string, Omit<Sign, 'what' | 'time'>>()

function sign(what: Sign['what'], more: Omit<Sign, 'what' | 'time'>): void {
  const time = performance.timeOrigin + performance.now()
  tell({ ...more, what, time }).catch(() => undefined)
}

/** Reports each answer that is safe: the transport's promise settles with the acknowledgement, or when the question is withdrawn. */
class Watched extends WorkerTransport implements Transport {
  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    const answer = 'result' in message ? answers.get(String(message.id)) : undefined
    if (answer !== undefined) sign('acknowledged', answer)
  }
}

function forgetWithdrawn(transport: Transport): void {
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'notifications/cancelled') {
      answers.delete(String(message.params?.requestId))
    }
    onmessage?.(message, extra)
  }
}

const client = new Client(
  { name: 'soak', version: '0.0.0' },
  { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: new CfWorkerJsonSchemaValidator() }
)
client.setRequestHandler(ElicitRequestSchema, ({ params }, { requestId, signal }) => {
  const id = String(requestId)
  const question = parseMessage(params.message)
  const token = `${tab}/${++given}`
  sign('asked', { ...question, token })
  return new Promise<ElicitResult>((resolve) => {
    // A question that is asked anew has the same id, and a form of its own.
    const leave = (): boolean => waiting.get(id) === answer && waiting.delete(id)
    const answer = (): void => {
      if (!leave()) return
      answers.set(id, { ...question, token })
      sign('given', { ...question, token })
      resolve({ action: 'accept', content: { token } })
    }
    waiting.set(id, answer)
    signal.addEventListener('abort', leave)
    if (manner === 'hurried') answer()
    else if (manner === 'calm' && given % 2 !== 0) setTimeout(answer, (given * 37) % 150)
  })
})

async function connect(): Promise<void> {
  const transport = new Watched(() => new SharedWorker(`${url}?${parameters.get('worker')}`, { type: 'module' }))
  const connected = client.connect(transport)
  forgetWithdrawn(transport)
  await connected
}

const connected = connect()

globalThis.soak = {
  connected,
  async start(name, job, ttl) {
    await connected
    return (await runTask(client, { name, arguments: { ...job } }, ttl === undefined ? {} : { ttl })).taskId
  },
  async follow(taskId) {
    await connected
    const run = await followTask(client, taskId)
    const { content } = await run.result()
    const [block] = content
    return { status: run.task.status, text: block?.type === 'text' ? block.text : '' }
  },
  async cancel(taskId) {
    await connected
    const run = await followTask(client, taskId)
    try {
      return (await run.cancel()).status
    } catch (error) {
      return (error as { code: number }).code
    }
  },
  async take(n) {
    await connected
    const questions = await listQuestions(client)
    const question = questions[n % questions.length]
    if (question !== undefined) await takeQuestion(client, question.requestId)
  },
  behave(how) {
    manner = how
    if (how === 'hurried') for (const answer of waiting.values()) answer()
  },
  onScreen: () => waiting.size,
  takeNotes
}
