// subscriptions/listen: https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions

import { invalidParams } from '../errors.js'
import type { Incoming, Reply } from '../link/method.js'
import type { JsonObject } from '../types.js'
import { type Envelope, isObject, needTasks } from './envelope.js'
import type { ModernHost } from './host.js'
import { ALL_TASKS, META, REMOVED } from './keys.js'
import { TaskFeed } from './task-feed.js'

/** The filter of the request: what it may hear. */
interface Wanted {
  lists: Set<string>
  uris: Set<string>
  taskIds: Set<string>
  /** intab's own: every task of the owner, and which are deleted. */
  allTasks: boolean
  /** intab's own: which of the named tasks are deleted. */
  removed: boolean
}

const lists: Readonly<Record<string, string>> = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources'
}

function stringsIn(filter: JsonObject, key: string): string[] {
  const given = filter[key] ?? []
  if (Array.isArray(given) && given.every((entry) => typeof entry === 'string')) return given
  throw invalidParams(`Invalid params: notifications.${key} must be an array of strings`)
}

/** Answers only when the connection ends, and then nobody hears it; a client ends it by cancelling. */
export async function listen(host: ModernHost, request: Incoming, envelope: Envelope): Promise<Reply> {
  const { id, signal, params } = request
  const filter = params.notifications
  if (!isObject(filter)) throw invalidParams('Invalid params: notifications must be an object')
  const asked = stringsIn(filter, 'taskIds')
  if (asked.length > 0 || filter[ALL_TASKS] === true) needTasks(envelope)
  const wanted = await honoured(host, filter, asked)
  const tell = (method: string, more: JsonObject): Promise<void> => {
    if (signal.aborted) return Promise.resolve()
    const meta = isObject(more._meta) ? more._meta : {}
    return host.send({ jsonrpc: '2.0', method, params: { ...more, _meta: { ...meta, [META.subscription]: id } } }, id)
  }
  const feed = new TaskFeed(host, wanted, envelope.can, tell)
  const stops = [
    feed.start(),
    host.onserver((method, more) => {
      const list = /^notifications\/(\w+)\/list_changed$/.exec(method)?.[1]
      const isWanted =
        list === undefined
          ? method === 'notifications/resources/updated' && typeof more.uri === 'string' && wanted.uris.has(more.uri)
          : wanted.lists.has(list)
      if (isWanted) tell(method, more).catch(() => undefined)
    }),
    await subscribe(host, wanted.uris, signal)
  ]
  try {
    await tell('notifications/subscriptions/acknowledged', { notifications: asFilter(wanted) })
    // What changed before the acknowledgement is not lost: each task is told as it is now.
    for (const taskId of wanted.removed ? asked : wanted.taskIds) feed.changed(taskId)
    await ended(signal)
  } finally {
    for (const stop of stops) stop()
    feed.leave()
  }
  return { result: { _meta: { [META.subscription]: id } } }
}

/** What is there to be heard, of what was asked. */
async function honoured(host: ModernHost, filter: JsonObject, taskIds: readonly string[]): Promise<Wanted> {
  const capabilities = host.capabilities()
  const changes = (list: string): boolean => isObject(capabilities[list]) && capabilities[list].listChanged === true
  const subscribes = isObject(capabilities.resources) && capabilities.resources.subscribe === true
  return {
    lists: new Set(
      Object.entries(lists).flatMap(([key, list]) => (filter[key] === true && changes(list) ? [list] : []))
    ),
    uris: new Set(subscribes ? stringsIn(filter, 'resourceSubscriptions') : []),
    taskIds: new Set(taskIds.length > 0 ? await host.owned(taskIds) : []),
    allTasks: filter[ALL_TASKS] === true,
    removed: filter[REMOVED] === true
  }
}

function asFilter(wanted: Wanted): JsonObject {
  const changed = Object.entries(lists).filter(([, list]) => wanted.lists.has(list))
  return {
    ...Object.fromEntries(changed.map(([key]) => [key, true])),
    ...(wanted.uris.size > 0 && { resourceSubscriptions: [...wanted.uris] }),
    ...(wanted.taskIds.size > 0 && { taskIds: [...wanted.taskIds] }),
    ...(wanted.allTasks && { [ALL_TASKS]: true }),
    ...(wanted.removed && { [REMOVED]: true })
  }
}

/** Tells the SDK's server, which knows resources/subscribe. */
async function subscribe(host: ModernHost, uris: ReadonlySet<string>, signal: AbortSignal): Promise<() => void> {
  const ask = (method: string, uri: string): Promise<JsonObject> =>
    host.ask(method, { uri }, { signal: host.signal, onnotification: () => undefined })
  for (const uri of uris) {
    await ask('resources/subscribe', uri)
    signal.throwIfAborted()
  }
  return () => {
    for (const uri of uris) ask('resources/unsubscribe', uri).catch(() => undefined)
  }
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
