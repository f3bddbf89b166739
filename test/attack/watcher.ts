// A tab that watches: what it heard of each task, and the questions as it read them when it last heard of one.

import { Lenders } from '../../src/lend/lenders.js'
import { Announcer } from '../../src/session/announcer.js'
import type { Hub } from '../../src/session/hub.js'
import { projectTask } from '../../src/session/project-task.js'
import { Questions } from '../../src/session/questions.js'
import { Session } from '../../src/session/session.js'
import { UpdateFeed } from '../../src/session/update-feed.js'
import type { Storage } from '../../src/storage/open-storage.js'
import type { TaskRecord, UpdateBus } from '../../src/types.js'

type Served = Storage & { bus: UpdateBus }
type Heard = Record<string, unknown>

const fail = (error: Error): never => {
  throw error
}

/** All that a fresh read tells an owner. */
interface View {
  tasks: Record<string, Heard>
  questions: Heard[]
}

export class Watcher {
  #tasks: Record<string, Heard> = {}
  #questions: Heard[] = []
  readonly #served: Served
  readonly #feed: UpdateFeed
  readonly #questionsOf: Questions
  #reading = false
  #again = false

  constructor(served: Served) {
    this.#served = served
    const announcer = new Announcer()
    const hub = {
      ...served,
      sessions: new Set<Session>(),
      lenders: new Lenders({ ...served, sessions: [], onerror: fail }),
      runner: { observe: () => undefined },
      announce: (task: TaskRecord) => announcer.tell(hub, task),
      announceSoon: (task: TaskRecord) => announcer.tellSoon(hub, task),
      removed: (taskId: string, owner?: string) => announcer.tellRemoved(hub, taskId, owner),
      options: {},
      emit: () => undefined,
      onerror: fail
    } as unknown as Hub
    const transport = {
      send: async (message: { method: string; params: Heard }) => this.#hear(message)
    } as unknown as ConstructorParameters<typeof Session>[3]
    const info = { id: 'watching', connection: 'watching' } as ConstructorParameters<typeof Session>[1]
    const session = new Session(hub, info, 'ann', transport, new AbortController().signal)
    session.ready = true
    session.watches = true
    session.hearsOfTasks = true
    hub.sessions.add(session)
    this.#questionsOf = new Questions(hub, 1_000_000_000)
    this.#feed = new UpdateFeed(hub, this.#questionsOf, {
      ontask: () => undefined,
      ondoubt: (taskId) => fail(new Error(`${taskId} could not be read`))
    })
  }

  /** What a tab reads when it begins to watch. */
  async open(): Promise<void> {
    const view = await this.fresh()
    this.#tasks = view.tasks
    this.#questions = view.questions
  }

  close(): void {
    this.#feed.close()
    this.#questionsOf.close()
  }

  get heard(): View {
    return { tasks: this.#tasks, questions: this.#questions }
  }

  async fresh(): Promise<View> {
    const { tasks } = await this.#served.tasks.list('ann', { order: 'oldest', limit: 1000 })
    const shown: Record<string, Heard> = {}
    for (const task of tasks) shown[task.taskId] = { ...projectTask(task) }
    return { tasks: shown, questions: await this.#read() }
  }

  async #read(): Promise<Heard[]> {
    const open = await this.#served.messages.open({ owner: 'ann' })
    return open.map(({ requestId, state, claimedBy, deliveredAt }) => ({ requestId, state, claimedBy, deliveredAt }))
  }

  #hear({ method, params }: { method: string; params: Heard }): void {
    const taskId = String(params['taskId'])
    if (method === 'notifications/intab/removed') delete this.#tasks[taskId]
    else if (method === 'notifications/tasks/status' || method === 'notifications/intab/task')
      this.#tasks[taskId] = params
    else return
    this.#again = true
    if (!this.#reading) this.#readAll().catch(fail)
  }

  async #readAll(): Promise<void> {
    this.#reading = true
    while (this.#again) {
      this.#again = false
      this.#questions = await this.#read()
    }
    this.#reading = false
  }
}
