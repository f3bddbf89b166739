// The tasks of the origin as far as this page shows them: newest first, by page, as they change in whichever tab.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { listTasks, type TaskInfo, watchTasks } from 'intab'
import type { Status } from './words.js'

/** What may be shown: all tasks, or those of some statuses. */
export type Filter = readonly Status[] | undefined

export class TaskFeed {
  /** Called with each task that changed, whether it is shown or not. */
  ontask: (task: TaskInfo) => void = () => undefined
  onremoved: (taskId: string) => void = () => undefined
  /** Called after each change of what `shown` returns. */
  onchange: () => void = () => undefined
  readonly #client: Client
  /** In the order of the list. */
  #tasks: TaskInfo[] = []
  #filter: Filter
  #next: string | undefined
  #load = 0
  #stop: () => void = () => undefined

  constructor(client: Client) {
    this.#client = client
  }

  get shown(): readonly TaskInfo[] {
    return this.#tasks
  }

  get hasMore(): boolean {
    return this.#next !== undefined
  }

  /** Listens and reads anew: a new connection knows nothing of what the last one asked for. */
  async start(): Promise<void> {
    this.#stop()
    this.#stop = await watchTasks(this.#client, {
      ontask: (task) => this.#learn(task),
      onremoved: (taskId) => this.#forget(taskId)
    })
    await this.show(this.#filter)
  }

  /** Reads the first page of the tasks that match. */
  async show(filter: Filter): Promise<void> {
    this.#filter = filter
    const load = ++this.#load
    const page = await listTasks(this.#client, { order: 'newest', ...(filter && { status: [...filter] }) })
    if (load !== this.#load) return
    this.#tasks = page.tasks
    this.#next = page.nextCursor
    this.onchange()
  }

  /** Reads the next page. */
  async more(): Promise<void> {
    const { cursor, filter, load } = { cursor: this.#next, filter: this.#filter, load: this.#load }
    if (cursor === undefined) return
    const page = await listTasks(this.#client, { order: 'newest', cursor, ...(filter && { status: [...filter] }) })
    if (load !== this.#load) return
    const known = new Set(this.#tasks.map(({ taskId }) => taskId))
    this.#tasks = [...this.#tasks, ...page.tasks.filter(({ taskId }) => !known.has(taskId))]
    this.#next = page.nextCursor
    this.onchange()
  }

  #learn(task: TaskInfo): void {
    this.ontask(task)
    const at = this.#tasks.findIndex(({ taskId }) => taskId === task.taskId)
    const fits = this.#filter === undefined || this.#filter.includes(task.status)
    const known = this.#tasks[at]
    if (known !== undefined) {
      if ((task.revision ?? Infinity) < (known.revision ?? 0)) return
      this.#tasks = fits ? this.#tasks.with(at, task) : this.#tasks.toSpliced(at, 1)
    } else if (fits) {
      const older = this.#tasks.findIndex(({ createdAt }) => createdAt <= task.createdAt)
      // What belongs below the last row comes with its page.
      if (older < 0 && this.hasMore) return
      this.#tasks = this.#tasks.toSpliced(older < 0 ? this.#tasks.length : older, 0, task)
    } else return
    this.onchange()
  }

  #forget(taskId: string): void {
    this.onremoved(taskId)
    const left = this.#tasks.filter((task) => task.taskId !== taskId)
    if (left.length === this.#tasks.length) return
    this.#tasks = left
    this.onchange()
  }
}
