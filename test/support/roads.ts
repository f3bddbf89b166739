// The ways by which one task comes from its call to its result: in one tab or by way of two, in each revision.

import { Client } from '@modelcontextprotocol/client'
import type { ElicitRequest } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import type { ConnectedClient } from '../../src/protocol/connected-client.js'
import type { ToolCall } from '../../src/client/task-info.js'
import { followTask, listTasks, runTask, type TaskRun } from '../../src/index.js'
import { MODERN } from '../../src/modern/keys.js'
import { gate } from './tools.js'
import type { World } from './world.js'

/** What came of the call, and what the tab that saw it end was asked. */
export interface Trip {
  result: { isError?: boolean | undefined; content: unknown }
  statuses: string[]
  asked: string[]
  client: ConnectedClient
}

export type Road = (world: World, call: ToolCall) => Promise<Trip>

interface Tab {
  client: ConnectedClient
  /** What names each question that it was asked. */
  asked: string[]
  /** Is gone without a word. */
  crash(): void
}

/** What a person in front of a tab does with a question: undefined leaves it on the screen. */
interface Person {
  onask?(): void
}

const said = { role: 'assistant' as const, model: 'me', content: { type: 'text' as const, text: 'old pond' } }

/** Accepts, with the message as a name and the first of what each field offers. */
function accepted(params: ElicitRequest['params']) {
  const fields = 'requestedSchema' in params ? Object.entries(params.requestedSchema.properties) : []
  const choices = fields.flatMap(([name, field]) =>
    'oneOf' in field && field.oneOf[0] ? [[name, field.oneOf[0].const] as const] : []
  )
  const content = { confirm: true, name: params.message, ...Object.fromEntries(choices) }
  return { action: 'accept' as const, content: 'url' in params ? undefined : content }
}

/** Answers at once, or tells of the question and leaves it on the screen. */
function answering<P, A>(answer: (params: P) => A, onask: Person['onask']): (params: P) => A | Promise<A> {
  return (params) => {
    if (onask === undefined) return answer(params)
    onask()
    return new Promise(() => undefined)
  }
}

/** A tab of 2025-11-25, with the Client of SDK v1. */
async function sessionTab(world: World, { onask }: Person): Promise<Tab> {
  const asked: string[] = []
  const elicit = answering(accepted, onask)
  const tab = await world.tab({
    onelicit: (params, id) => {
      asked.push(id)
      return elicit(params)
    },
    onsample: answering(() => said, onask)
  })
  return { client: tab.client, asked, crash: () => tab.crash() }
}

/** A tab of 2026-07-28, with the Client of SDK v2. */
async function modernTab(world: World, { onask }: Person): Promise<Tab & { client: Client }> {
  const asked: string[] = []
  const capabilities = { elicitation: { form: {}, url: {} }, sampling: {} }
  const info = { name: 'modern', version: '1.0.0' }
  const client = new Client(info, { capabilities, versionNegotiation: { mode: { pin: MODERN } } })
  const elicit = answering(accepted, onask)
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message)
    return elicit(params)
  })
  client.setRequestHandler(
    'sampling/createMessage',
    answering(() => said, onask)
  )
  onTestFinished(() => client.close())
  const { transport, locks } = world.transport()
  await client.connect(transport)
  return { client, asked, crash: () => locks.die() }
}

const tabs = { '2025-11-25': sessionTab, [MODERN]: modernTab }
type Revision = keyof typeof tabs

async function toItsEnd({ client, asked }: Tab, run: TaskRun): Promise<Trip> {
  const statuses: string[] = []
  for await (const task of run) statuses.push(task.status)
  return { client, asked, statuses, result: await run.result() }
}

/** One tab calls the tool, and sees the task through. */
const alone =
  (revision: Revision): Road =>
  async (world, call) => {
    const tab = await tabs[revision](world, {})
    return toItsEnd(tab, await runTask(tab.client, call))
  }

/** One tab calls the tool, shows its question and is gone; a tab of the other revision answers, and gets the result. */
const handedOver =
  (from: Revision, to: Revision): Road =>
  async (world, call) => {
    const shown = gate()
    const first = await tabs[from](world, { onask: () => shown.open() })
    const run = await runTask(first.client, call)
    await Promise.race([shown.opened, run.result()])
    first.crash()
    const second = await tabs[to](world, {})
    return toItsEnd(second, await followTask(second.client, run.taskId))
  }

/** A plain call, whose questions come in rounds. */
const inRounds: Road = async (world, { name, arguments: args = {} }) => {
  const { client, asked } = await modernTab(world, {})
  const result = await client.callTool({ name, arguments: args })
  const { tasks } = await listTasks(client)
  return { client, asked, statuses: tasks.map(({ status }) => status), result }
}

export const roads = {
  'a tab of 2025-11-25': alone('2025-11-25'),
  'a tab of 2026-07-28': alone(MODERN),
  'a plain call of 2026-07-28': inRounds,
  'a tab of 2025-11-25, then one of 2026-07-28': handedOver('2025-11-25', MODERN),
  'a tab of 2026-07-28, then one of 2025-11-25': handedOver(MODERN, '2025-11-25')
} satisfies Record<string, Road>
