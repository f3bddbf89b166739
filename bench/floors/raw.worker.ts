// What the browser takes for the same work, and nothing else.

import { now } from './clock.js'
import {
  callRow,
  finishedRow,
  get,
  openRaw,
  outcomeRow,
  owner,
  ownerRow,
  put,
  questionRow,
  taskRow
} from './raw-database.js'

/** A call over the port, and where its answer goes. */
interface Call {
  id: number
  op: string
  taskId: string
  seq: number
  payload?: unknown
}

type Answer = (value: unknown) => void

const channel = new BroadcastChannel('raw')
const opened = openRaw('raw')
/** Who waits here for a task of the other worker. */
const waiting = new Map<string, (stamp: number) => void>()

channel.onmessage = ({ data }: MessageEvent<{ taskId: string; stamp: number }>) =>
  waiting.get(data.taskId)?.(data.stamp)

const finish = (db: IDBDatabase, { taskId, seq }: Call): Promise<void> =>
  put(
    db,
    { tasks: finishedRow(taskId, seq), outcomes: outcomeRow(taskId), owners: ownerRow(seq) },
    { tasks: taskId, owners: owner }
  )

const look = (db: IDBDatabase, taskId: string): Promise<unknown> =>
  Promise.all([get(db, 'tasks', taskId), get(db, 'outcomes', taskId)])

const operations: Record<string, (db: IDBDatabase, call: Call, answer: Answer) => Promise<void>> = {
  async clock(_db, _call, answer) {
    answer(now())
  },
  async create(db, { taskId, seq }, answer) {
    await put(db, { tasks: taskRow(taskId, seq), calls: callRow(taskId), owners: ownerRow(seq) }, { owners: owner })
    answer(taskId)
  },
  async finish(db, call, answer) {
    const stamp = now()
    await finish(db, call)
    await look(db, call.taskId)
    answer(stamp)
  },
  async announce(db, call, answer) {
    const stamp = now()
    await finish(db, call)
    channel.postMessage({ taskId: call.taskId, stamp })
    answer(stamp)
  },
  async wait(db, { taskId }, answer) {
    const stamp = await new Promise<number>((resolve) => waiting.set(taskId, resolve))
    waiting.delete(taskId)
    await look(db, taskId)
    answer(stamp)
  },
  async mirror(db, { taskId, seq, payload }, answer) {
    await put(
      db,
      { tasks: taskRow(taskId, seq), calls: { taskId, arguments: { text: payload } }, owners: ownerRow(seq) },
      { owners: owner }
    )
    const outcome = { result: { content: [{ type: 'text', text: payload }] } }
    await put(
      db,
      { tasks: finishedRow(taskId, seq), outcomes: { taskId, outcome }, owners: ownerRow(seq) },
      { tasks: taskId, owners: owner }
    )
    answer(await get(db, 'outcomes', taskId))
  },
  async ask(db, { taskId, seq }, answer) {
    const stamp = now()
    const open = { state: 'pending', openTask: taskId }
    const asked = { messages: questionRow(taskId, open), tasks: taskRow(taskId, seq, { openRequests: 1 }) }
    await put(db, asked, { tasks: taskId })
    await look(db, taskId)
    const claimed = questionRow(taskId, { ...open, state: 'delivered', claimedBy: 'someone' })
    await put(db, { messages: claimed }, { messages: [taskId, 1] })
    answer(stamp)
  },
  async answer(db, { taskId, seq, payload }, answer) {
    const answered = questionRow(taskId, { state: 'answered', answer: {} })
    await put(db, { messages: answered, tasks: taskRow(taskId, seq) }, { messages: [taskId, 1], tasks: taskId })
    await get(db, 'messages', [taskId, 1])
    answer(now() - Number(payload))
  }
}

addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (port === undefined) return
  port.onmessage = ({ data }: MessageEvent<Call>) => {
    if (data.op === 'echo') return port.postMessage(data.payload)
    const answer: Answer = (value) => port.postMessage({ id: data.id, value })
    opened
      .then((db) => operations[data.op]?.(db, data, answer))
      .catch((error: unknown) => port.postMessage({ id: data.id, error: String(error) }))
  }
})
