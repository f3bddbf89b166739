// Opens what one process needs: rows, lease, bus, and DBOS, in the order that leaves no gap.

import { DBOS } from '@dbos-inc/dbos-sdk'
import { type Channel, openBusOver } from '../bus/update-bus.js'
import { IntabError, toError } from '../errors.js'
import { defaultLimits } from '../limits.js'
import { afterTurn } from '../link/turn.js'
import { alone } from '../postgres/alone.js'
import { Lease } from '../postgres/lease.js'
import { openPostgres, type PostgresStorage } from '../postgres/open-storage.js'
import { type Assembled, assemble, reporting } from '../session/assemble.js'
import type { Hub } from '../session/hub.js'
import { checkLimits, type ServeOptions, toolsByName } from '../session/options.js'
import { cancelledEnd } from '../tasks/outcome.js'
import { isFinal } from '../tasks/status.js'
import type { IntabEvent } from '../types.js'
import { DbosRunner } from './dbos-runner.js'
import { ProcessLocks } from './process-locks.js'

export interface Started {
  hub: Hub
  storage: PostgresStorage
  /** Tells the other processes. */
  post(kind: string, data: unknown): Promise<void>
  /** Leaves what runs here to other processes. */
  close(): Promise<void>
}

export interface StartOptions {
  url: string
  schema: string
  /** Of each of the two pools. */
  connections: number
  /** What another process posted. */
  onpost(kind: string, data: unknown): void
}

/** Of ids and owners in one post of the bus: PostgreSQL carries 8,000 bytes. */
const bytesAtOnce = 7_000

/** A page's answer may come to another process than its call. */
const noTab = (tool: string): IntabError =>
  new IntabError(
    'missing_capability',
    `No tab can lend ${tool}: this task runs on a server. Let a tool of the browser's worker call it`
  )

/** Milliseconds between looks at the queue of what this process resumes. */
const pollingInterval = 250

/** Rejects with what PostgreSQL or DBOS say when one of them cannot start; nothing is left open then. */
export async function start(options: ServeOptions, own: StartOptions): Promise<Started> {
  const { url, schema, connections } = own
  const tools = toolsByName(options)
  const limits = checkLimits({ ...defaultLimits, ...options.limits })
  const worker = crypto.randomUUID()
  const executor = `${schema}:executor:${worker}`
  const closing: (() => unknown)[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close()
  }

  const { emit: report, onerror, listeners } = reporting(options)
  const emit = (event: IntabEvent): void => {
    if (event.type === 'removed') runner.erase(event.task.taskId)
    else if ('task' in event && event.type !== 'created' && isFinal(event.task.status)) runner.settle(event.task.taskId)
    report(event)
  }
  const storage = await openPostgres({
    url,
    schema,
    limits,
    connections,
    publish: (taskId, left) => {
      // Whoever created a task is to have its id before anybody is told of it.
      if (left?.task.revision === 1) afterTurn(() => bus.publish(taskId, left))
      else bus.publish(taskId, left)
    },
    onevent: emit,
    checkpoint: options.checkpoint
  })
  closing.push(() => storage.close())

  const post = (kind: string, data: unknown): Promise<void> => lease.post(JSON.stringify([kind, data]))
  const channel: Channel = {
    onmessage: null,
    postMessage(message) {
      for (const part of parts(message)) {
        post('bus', part).catch((error: unknown) => onerror(toError(error), 'telling other processes'))
      }
    },
    close: () => undefined
  }
  const bus = openBusOver(channel)
  const locks = new ProcessLocks(() => lease, storage.roster)
  let runner: DbosRunner
  let assembled: Assembled | undefined
  const lease = await Lease.take({
    url,
    schema,
    name: executor,
    onpost(payload) {
      const [kind, data] = JSON.parse(payload) as [string, unknown]
      if (kind === 'bus') channel.onmessage?.(new MessageEvent('message', { data }))
      else own.onpost(kind, data)
    },
    ondeath(name) {
      locks.died(name)
      if (DBOS.isInitialized()) {
        DBOS.deleteQueue(name).catch((error: unknown) => onerror(toError(error), `deleting the queue of ${name}`))
      }
    },
    ondoubt: () => assembled?.doubtAll(),
    onerror
  }).catch(async (error: unknown) => {
    await closeAll()
    throw error
  })
  closing.push(() => lease.close())

  try {
    assembled = assemble({
      worker,
      executor,
      options,
      noTab,
      limits,
      tools,
      storage,
      bus,
      locks,
      emit,
      onerror,
      listeners,
      makeRunner: (engine) =>
        (runner = new DbosRunner(engine, {
          queue: executor,
          limit: limits.bytes,
          prove: storage.prove,
          onfinished: (task) => report({ type: 'finished', task }),
          oncancelled: (taskId) => void assembled?.hub.endTask(taskId, cancelledEnd)
        }))
    })
    const { hub, rest, recover } = assembled
    closing.push(() => {
      rest(new IntabError('closed', 'The server was closed'))
      bus.close()
    })
    closing.push(await launch(options.name, own, executor, onerror))
    await deleteQueuesOfDead(await lease.living(), executor.slice(0, -worker.length))
    await recover()
    return { hub, storage, post, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Resolves with what stops DBOS again. */
async function launch(
  name: string,
  { url, connections }: StartOptions,
  executor: string,
  onerror: Hub['onerror']
): Promise<() => Promise<void>> {
  const quiet = (): void => undefined
  DBOS.setConfig({
    name,
    systemDatabaseUrl: url,
    systemDatabasePoolSize: connections,
    executorID: executor,
    // Workflows of earlier builds are resumed by later ones: a task's row tells whether that fits.
    applicationVersion: 'intab',
    listenQueues: [executor],
    useListenNotify: false,
    logger: { info: quiet, debug: quiet, warn: quiet, error: (entry: unknown) => onerror(toError(entry), 'DBOS') }
  })
  const stop = (): Promise<void> => DBOS.shutdown({ deregister: true })
  try {
    // It creates its tables, and does not bear another that does so as well.
    await alone(url, 'intab launches DBOS', () => DBOS.launch())
    await DBOS.registerQueue(executor, { minPollingIntervalMs: pollingInterval, onConflict: 'always_update' })
  } catch (error) {
    await stop()
    throw error
  }
  return async () => {
    await DBOS.deleteQueue(executor).catch((error: unknown) => onerror(toError(error), 'deleting its queue'))
    await stop()
  }
}

/** Those of processes of which nobody is left who heard of their death. */
async function deleteQueuesOfDead(living: readonly string[], prefix: string): Promise<void> {
  for (const { name } of await DBOS.listQueues()) {
    if (name.startsWith(prefix) && !living.includes(name)) await DBOS.deleteQueue(name)
  }
}

/** A post of the bus, in pieces that PostgreSQL carries. */
function parts(message: unknown): unknown[] {
  const { updated, removed = [] } = message as { updated?: string[]; removed?: [string, string][] }
  if (updated === undefined) return [message]
  const owners = new Map(removed)
  const found: { updated: string[]; removed: [string, string][] }[] = []
  let room = 0
  for (const taskId of updated) {
    const owner = owners.get(taskId)
    const size = taskId.length + 3 + (owner === undefined ? 0 : taskId.length + JSON.stringify(owner).length * 3 + 8)
    if (size > room) {
      found.push({ updated: [], removed: [] })
      room = bytesAtOnce
    }
    room -= size
    found.at(-1)?.updated.push(taskId)
    if (owner !== undefined) found.at(-1)?.removed.push([taskId, owner])
  }
  return found
}
