// Requests of MCP 2026-07-28, as acts of the model: on the same tasks, beside those who wait by the revision before.

import { expect } from 'vitest'
import type { Envelope } from '../../src/modern/envelope.js'
import type { ModernHost } from '../../src/modern/host.js'
import { HERE } from '../../src/modern/keys.js'
import { TaskFeed } from '../../src/modern/task-feed.js'
import { taskMethods } from '../../src/modern/task-methods.js'
import { checkAnswer } from '../../src/session/check-answer.js'
import { cancelledEnd } from '../../src/tasks/outcome.js'
import type { JsonObject, Outcome } from '../../src/types.js'
import { turn } from '../support/turns.js'
import type { ModelTask } from './model.js'
import { can, connections, type Stage, type Worker } from './stage.js'

const envelope: Envelope = { can, tasks: true, logLevel: undefined, progressToken: undefined }

/** Somebody who listens to a task at a worker, and what it was told last. */
export interface Listener {
  task: ModelTask
  worker: Worker
  connection: string
  told?: JsonObject
  revision?: unknown
  /** The client ends it, or the connection does. */
  stop(): void
}

export const modernActs = (stage: Stage) => [
  () => get(stage),
  () => update(stage),
  () => listen(stage),
  () => unlisten(stage)
]

/** What the methods ask of a connection, over the worker's own storage and bus. */
function hostOf({ worker, connection }: Pick<Listener, 'worker' | 'connection'>, wins: Outcome[] = []): ModernHost {
  const { tasks, messages, bus } = worker
  const host: Partial<ModernHost> = {
    owner: 'ann',
    connection,
    bus,
    messages: {
      ...messages,
      open: async (of) => (await messages.open(of)).filter(({ lent }) => !lent),
      async answer(requestId, owner, answer) {
        const isFirst = await messages.answer(requestId, owner, answer)
        if (isFirst) wins.push(answer as Outcome)
        return isFirst
      }
    },
    task: (taskId) => tasks.get(taskId),
    cancel: async (taskId) => void (await tasks.finish({ taskId }, cancelledEnd)),
    checkAnswer: (request, result) => checkAnswer(request, { result }, 1_000_000),
    answered: () => undefined,
    fetched: () => undefined,
    onerror(error) {
      throw error
    }
  }
  return host as ModernHost
}

function ask(host: ModernHost, method: string, params: JsonObject): Promise<JsonObject> {
  const answer = taskMethods.get(method)
  if (answer === undefined) throw new Error(`No method ${method}`)
  return answer(host, params, envelope)
}

/** Questions as a client sees them, by key; calls of tabs' tools are none. */
const askedIn = (task: ModelTask) =>
  new Map([...task.questions].filter(([, { lent, answer }]) => !task.end && !lent && answer === undefined))

/** The task is shown as the model has it, to somebody who shows its questions unless others do. */
function expectShown(stage: Stage, task: ModelTask, connection: string, shown: JsonObject): void {
  const asked = askedIn(task)
  // `failed` is for JSON-RPC errors alone.
  const hasResult = task.end !== undefined && task.end.status === 'failed' && 'result' in task.end.outcome
  expect(shown.status, 'the state that was told').toBe(hasResult ? 'completed' : stage.model.status(task))
  expect(Object.keys(shown.inputRequests ?? {}).sort(), 'every open question is shown').toEqual(
    [...asked.keys()].sort()
  )
  if (task.end && shown.status !== 'cancelled') expect(shown).toMatchObject(task.end.outcome)
  const here = hereOf(shown)
  for (const [key, { requestId }] of asked) {
    if (!stage.holders.has(requestId) && here.includes(key)) stage.holders.set(requestId, connection)
    const holder = stage.holders.get(requestId)
    expect(holder, 'no question waits while somebody could show it').toBeDefined()
    expect(here.includes(key), `${key} is shown by ${holder}, and ${connection} looks`).toBe(holder === connection)
  }
}

const hereOf = ({ _meta }: JsonObject): string[] => ((_meta as JsonObject)[HERE] ?? []) as string[]

async function get(stage: Stage): Promise<string | undefined> {
  stage.count('tasks/get')
  const task = stage.some()
  const connection = stage.random.pick(connections)
  if (task === undefined || connection === undefined) return undefined
  const host = hostOf({ worker: stage.worker, connection })
  expectShown(stage, task, connection, await ask(host, 'tasks/get', { taskId: task.taskId }))
  return task.taskId
}

/** Two clients answer all open questions at once; or cancel the task. */
async function update(stage: Stage): Promise<string | undefined> {
  const isCancelled = stage.random.chance(0.1)
  stage.count(isCancelled ? 'tasks/cancel' : 'tasks/update')
  const task = stage.some()
  if (task === undefined) return undefined
  const { taskId } = task
  const wins: Outcome[] = []
  const [one, two] = ['c1', 'c2'].map((connection) => hostOf({ worker: stage.worker, connection }, wins))
  if (one === undefined || two === undefined) return undefined
  if (isCancelled) {
    expect(await ask(one, 'tasks/cancel', { taskId }), 'acknowledged, whatever the state').toEqual({})
    stage.model.end(taskId, 'cancelled', cancelledEnd.outcome)
    return taskId
  }
  const open = [...askedIn(task)]
  const answersOf = (): JsonObject =>
    Object.fromEntries(
      [...open.map(([key]) => key), 'nothing'].map((key) => [key, { action: 'accept', content: { n: ++stage.n } }])
    )
  const answers = [answersOf(), answersOf()]
  const done = [one, two].map((host, i) => ask(host, 'tasks/update', { taskId, inputResponses: answers[i] ?? {} }))
  expect(await Promise.all(done)).toEqual([{}, {}])
  expect(wins, 'an open question takes one answer').toHaveLength(open.length)
  for (const [key, { requestId }] of open) {
    const won = answers
      .map((given) => ({ result: given[key] as JsonObject }))
      .find((given) => wins.some((win) => same(win, given)))
    expect(won, `one of two answers to ${key}`).toBeDefined()
    if (won) stage.model.answer(taskId, requestId, won)
  }
  return taskId
}

const same = (one: Outcome, other: Outcome): boolean => JSON.stringify(one) === JSON.stringify(other)

async function listen(stage: Stage): Promise<string | undefined> {
  stage.count('listen')
  const task = stage.some()
  const connection = stage.random.pick(connections)
  if (task === undefined || connection === undefined) return undefined
  const { taskId } = task
  const worker = stage.worker
  const wanted = { taskIds: new Set([taskId]), allTasks: false, removed: false }
  const feed = new TaskFeed(hostOf({ worker, connection }), wanted, can, async (_, params) => {
    listener.told = params
    listener.revision = (params._meta as JsonObject)['intab/revision']
    await turn()
  })
  const unhear = feed.start()
  const listener: Listener = {
    task,
    worker,
    connection,
    stop() {
      unhear()
      feed.leave()
      stage.listeners.delete(listener)
    }
  }
  stage.listeners.add(listener)
  feed.changed(taskId)
  return taskId
}

/** A client ends a listen: what came by it may be shown by others. */
async function unlisten(stage: Stage): Promise<string | undefined> {
  stage.count('unlisten')
  const listener = stage.random.pick([...stage.listeners])
  if (listener === undefined) return undefined
  listener.stop()
  for (const { requestId } of askedIn(listener.task).values()) {
    if (stage.holders.get(requestId) === listener.connection) stage.holders.delete(requestId)
  }
  return listener.task.taskId
}

/** Everybody who listens is told of the task as it is. */
export async function expectTold(stage: Stage): Promise<void> {
  await stage.quiet()
  for (const listener of stage.listeners) {
    const { taskId } = listener.task
    if (!stage.model.tasks.has(taskId)) listener.stop()
    else
      for (let i = 0; i < 400 && listener.revision !== (await listener.worker.tasks.get(taskId))?.revision; i++)
        await turn()
  }
  const told = [...stage.listeners].flatMap(({ told: shown, ...by }) => (shown ? [{ ...by, shown }] : []))
  expect(told, 'who listens is told').toHaveLength(stage.listeners.size)
  for (const { task, connection, shown } of told) {
    for (const [key, { requestId }] of askedIn(task)) {
      if (hereOf(shown).includes(key) && !stage.holders.has(requestId)) stage.holders.set(requestId, connection)
    }
  }
  for (const { task, connection, shown } of told) expectShown(stage, task, connection, shown)
}
