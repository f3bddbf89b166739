// One task: its picture, the same as a table, and what it was called with.

import { describeTask, type TaskDetails } from '../../client/describe-task.js'
import { followTask } from '../../client/task-run.js'
import { isOver, type TaskInfo } from '../../client/task-info.js'
import { deleteTask } from '../../client/tasks.js'
import { toError } from '../../errors.js'
import { button, everyFrame, h } from '../dom.js'
import { json } from '../json.js'
import { Picture, storyTable } from '../picture/picture.js'
import { type Sighting, storyOf } from '../picture/story.js'
import { exportTasks } from './export-tasks.js'
import { clock, duration, shortName, statusWords } from '../words.js'
import type { ConnectedClient } from '../../protocol/connected-client.js'

/** Sightings that are kept of a task; a picture of more shows nobody anything. */
const most = 200

export class TaskView {
  readonly taskId: string
  readonly element: HTMLElement
  readonly #client: ConnectedClient
  readonly #onerror: (error: unknown) => void
  readonly #picture: Picture
  readonly #status = h('span', { role: 'status', class: 'pill' })
  readonly #facts = h('dl')
  readonly #message = h('p', { class: 'message-line' })
  readonly #progress = h('progress', { hidden: '', 'aria-label': 'Progress' })
  readonly #table = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'What happened' })
  readonly #call = h('div')
  readonly #result = h('div')
  readonly #ask: HTMLButtonElement
  readonly #cancel: HTMLButtonElement
  readonly #seen: Sighting[] = []
  readonly #frame = everyFrame(() => this.#draw())
  #details: TaskDetails | undefined
  #isReading = false
  #again = false

  constructor(
    client: ConnectedClient,
    task: TaskInfo,
    { onerror, onclose }: { onerror(error: unknown): void; onclose(): void }
  ) {
    const { taskId, tool = 'task' } = task
    this.taskId = taskId
    this.#client = client
    this.#onerror = onerror
    this.#seen.push({ at: Date.now(), task })
    this.#picture = new Picture(`${tool} ${taskId}`)
    const cancel = async (): Promise<unknown> => (await followTask(client, taskId)).cancel()
    this.#cancel = button('Cancel', cancel, onerror)
    const back = button('Back', onclose, onerror)
    back.className = 'back'
    const remove = async (): Promise<void> => {
      await deleteTask(client, taskId)
      onclose()
    }
    const bin = button('Delete', remove, onerror)
    bin.className = 'danger'
    this.#ask = button('Show result', () => this.#showResult(), onerror)
    this.#ask.className = 'push'
    const save = button('Export', () => exportTasks(client, [taskId]), onerror)
    const copy = button('Copy id', () => navigator.clipboard.writeText(taskId), onerror)
    this.element = h(
      'article',
      { 'aria-label': `Task ${tool}` },
      h('div', { class: 'bar' }, back, h('h2', {}, tool), this.#status, this.#ask, this.#cancel, copy, save, bin),
      h('p', { class: 'id' }, taskId),
      this.#facts,
      this.#message,
      this.#progress,
      this.#result,
      this.#picture.element,
      this.#table,
      this.#call
    )
  }

  /** The task changed: what it is now, and its rows, are read once more. */
  see(task: TaskInfo): void {
    this.#note(task)
    this.read().catch(this.#onerror)
  }

  /** What still goes on has become longer. */
  tick(): void {
    if (this.#details !== undefined && !isOver(this.#details.task)) this.#frame.soon()
  }

  removed(): void {
    this.#status.textContent = 'deleted'
    this.#status.className = 'pill cancelled'
    this.#cancel.hidden = true
    this.#ask.hidden = true
  }

  /** Reads the rows; while that is under way, a second read waits, and a third is the second. */
  async read(): Promise<void> {
    this.#again = this.#isReading
    if (this.#isReading) return
    this.#isReading = true
    try {
      do {
        this.#again = false
        this.#details = await describeTask(this.#client, this.taskId)
        this.#note(this.#details.task)
        this.#frame.soon()
      } while (this.#again)
    } finally {
      this.#isReading = false
    }
  }

  close(): void {
    this.#frame.stop()
    this.#picture.close()
  }

  /** Remembers what is new: a change may be heard, or only read when nobody could tell of it. */
  #note(task: TaskInfo): void {
    if ((task.revision ?? 0) <= (this.#seen.at(-1)?.task.revision ?? -1)) return
    this.#seen.push({ at: Date.now(), task })
    if (this.#seen.length > most) this.#seen.splice(1, 1)
  }

  /** Only when asked: a result that was fetched goes first when room is needed. */
  async #showResult(): Promise<void> {
    const run = await followTask(this.#client, this.taskId)
    const answer = await run.result().catch((error: unknown) => ({ error: toError(error).message }))
    this.#result.replaceChildren(h('h3', { class: 'bar' }, 'Result'), json(answer, 'Result'))
  }

  #draw(): void {
    if (this.#details === undefined) return
    const { task } = this.#details
    const story = storyOf(this.#details, this.#seen, Date.now())
    this.#status.textContent = statusWords[task.status]
    this.#status.className = `pill ${task.status}`
    this.#cancel.hidden = isOver(task)
    this.#ask.hidden = !isOver(task)
    this.#message.textContent = task.statusMessage ?? task.progress?.message ?? ''
    this.#message.hidden = this.#message.textContent === ''
    this.#showProgress(task)
    this.#facts.replaceChildren(
      ...facts(task).map(([name, text]) => h('div', {}, h('dt', {}, name), h('dd', {}, text)))
    )
    this.#picture.show(story)
    this.#table.replaceChildren(storyTable(story))
    if (this.#call.childElementCount > 0) return
    this.#call.append(h('h3', { class: 'bar' }, 'Arguments'), json(this.#details.arguments, 'Arguments'))
  }

  #showProgress(task: TaskInfo): void {
    const { progress } = task
    this.#progress.hidden = progress === undefined || isOver(task)
    if (progress?.total === undefined) return
    this.#progress.max = Math.max(progress.total, Number.MIN_VALUE)
    this.#progress.value = progress.progress
  }
}

function facts(task: TaskInfo): [name: string, text: string][] {
  const { createdAt, lastUpdatedAt, attempt = 1, executor, ttl, progress } = task
  const [start, changed] = [Date.parse(createdAt), Date.parse(lastUpdatedAt)]
  const end = isOver(task) ? changed : Date.now()
  // The time to live runs from creation while the task runs, and from its end after that.
  const kept = ttl === null ? 'for ever' : `until ${clock((isOver(task) ? changed : start) + ttl, 'short')}`
  return [
    ['Created', clock(start)],
    [isOver(task) ? 'Took' : 'Running for', duration(end - start)],
    ['Runs', String(attempt)],
    ...(isOver(task) ? [] : [['Worker', executor === undefined ? 'none' : shortName(executor)] as [string, string]]),
    ...(progress === undefined
      ? []
      : [['Progress', `${progress.progress} of ${progress.total ?? '?'}`] as [string, string]]),
    [isOver(task) ? 'Kept' : 'May run', kept]
  ]
}
