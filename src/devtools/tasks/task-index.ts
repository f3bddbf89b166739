// All tasks that the client sees, newest first, as they change: read page by page, kept up to date by what is heard.

import type { TaskInfo } from '../../client/task-info.js'
import { listTasks } from '../../client/tasks.js'
import { watchTasks } from '../../client/updates.js'
import type { ConnectedClient } from '../../protocol/connected-client.js'

interface Entry {
  task: TaskInfo
  /** What a search looks in, in lower case. */
  text: string
}

export type Status = TaskInfo['status']

const textOf = ({ taskId, tool = '', status, statusMessage = '' }: TaskInfo): string =>
  `${tool} ${taskId} ${status} ${statusMessage}`.toLowerCase()

export class TaskIndex {
  /** Called after each change, with the task when one changed. */
  onchange: (task?: TaskInfo) => void = () => undefined
  readonly #client: ConnectedClient
  readonly #known = new Map<string, Entry>()
  /** Newest first. */
  #order: Entry[] = []
  #reading = 0
  #isRead = false
  #stop: (() => void) | undefined

  constructor(client: ConnectedClient) {
    this.#client = client
  }

  get size(): number {
    return this.#order.length
  }

  /** False while older tasks are still being read. */
  get isComplete(): boolean {
    return this.#isRead
  }

  get(taskId: string): TaskInfo | undefined {
    return this.#known.get(taskId)?.task
  }

  /** Those of the status, if one is given, whose tool, id, status or message has every word of the search. */
  find(search: string, status?: Status): TaskInfo[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean)
    const found: TaskInfo[] = []
    for (const { task, text } of this.#order) {
      if (status !== undefined && task.status !== status) continue
      if (words.every((word) => text.includes(word))) found.push(task)
    }
    return found
  }

  /** Listens, and reads all tasks anew; resolves when they are read. */
  async read(): Promise<void> {
    const reading = ++this.#reading
    this.#isRead = false
    this.#stop?.()
    const stop = await watchTasks(this.#client, {
      ontask: (task) => this.#learn(task),
      onremoved: (taskId) => this.#forget(taskId)
    })
    if (reading !== this.#reading) return stop()
    this.#stop = stop
    const listed = new Set<string>()
    const before = new Set(this.#known.keys())
    let cursor: string | undefined
    do {
      const page = await listTasks(this.#client, { order: 'newest', ...(cursor !== undefined && { cursor }) })
      if (reading !== this.#reading) return
      for (const task of page.tasks) {
        listed.add(task.taskId)
        this.#put(task)
      }
      cursor = page.nextCursor
      this.onchange()
    } while (cursor !== undefined)
    // Removed while nobody listened.
    for (const taskId of before) if (!listed.has(taskId)) this.#drop(taskId)
    this.#isRead = true
    this.onchange()
  }

  close(): void {
    this.#reading += 1
    this.#stop?.()
  }

  #learn(task: TaskInfo): void {
    if (this.#put(task)) this.onchange(task)
  }

  #forget(taskId: string): void {
    this.#drop(taskId)
    this.onchange()
  }

  /** False for what is older than what is known. */
  #put(task: TaskInfo): boolean {
    const known = this.#known.get(task.taskId)
    if (known !== undefined) {
      if ((task.revision ?? Infinity) < (known.task.revision ?? 0)) return false
      known.task = task
      known.text = textOf(task)
      return true
    }
    const entry = { task, text: textOf(task) }
    this.#known.set(task.taskId, entry)
    const last = this.#order.at(-1)
    // A new task belongs to the front, one of an older page to the end: neither is searched for.
    if (last === undefined || last.task.createdAt >= task.createdAt) this.#order.push(entry)
    else {
      const at = this.#order.findIndex(({ task: { createdAt } }) => createdAt <= task.createdAt)
      this.#order.splice(at, 0, entry)
    }
    return true
  }

  #drop(taskId: string): void {
    if (!this.#known.delete(taskId)) return
    this.#order = this.#order.filter(({ task }) => task.taskId !== taskId)
  }
}
