// One task, opened: what it was called with, what happened, what it came to.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { describeTask, followTask, type TaskDetails, type TaskInfo } from 'intab'
import { button, copyButton } from '../button.js'
import { callOf } from '../call/copy-call.js'
import { byId, h, setText } from '../dom.js'
import { age, duration, shortId } from '../format.js'
import { renderError, renderResult } from '../outcome/render-outcome.js'
import { progressBar } from './progress-bar.js'
import { renderTimeline, Sightings } from './timeline.js'
import { endOfLife, isFinal, nameOf, words } from './words.js'

export interface PageActions {
  cancel(taskId: string): Promise<unknown>
  askHere(taskId: string): Promise<unknown>
  delete(taskId: string): Promise<unknown>
  runAgain(tool: string, args: Record<string, unknown>): Promise<unknown>
}

/** The later of two states; the second where they are the same. */
const newer = (a: TaskInfo, b: TaskInfo | undefined): TaskInfo =>
  b !== undefined && (b.revision ?? 0) >= (a.revision ?? 0) ? b : a

const back = (): HTMLElement => h('a', { href: '#/', class: 'back' }, '← All tasks')

/** Shows one task in `#task-page`, up to date until it is left. */
export class TaskPage {
  readonly taskId: string
  readonly #client: Client
  readonly #actions: PageActions
  readonly #title = h('h2', { id: 'task-title', tabindex: '-1' })
  readonly #pill = h('span', { class: 'pill' })
  readonly #message = h('p', { class: 'message', role: 'status' })
  readonly #bar = progressBar()
  readonly #facts = h('dl', { class: 'task-facts' })
  readonly #outcome = h('div', { class: 'outcome-place' })
  readonly #timeline = h('div')
  readonly #request = h('pre')
  readonly #buttons = h('div', { class: 'buttons' })
  readonly #seen = new Sightings()
  #details: TaskDetails | undefined
  /** The newest state that was heard, maybe before the rest was read. */
  #heard: TaskInfo | undefined
  #reading = 0
  #isOutcomeShown = false

  constructor(client: Client, taskId: string, actions: PageActions) {
    this.#client = client
    this.#actions = actions
    this.taskId = taskId
  }

  async open(): Promise<void> {
    byId('task-page').replaceChildren(back(), h('p', { class: 'hint' }, 'Reading the task …'))
    await this.#read()
    this.#title.focus({ preventScroll: true })
  }

  /** Reads all of it anew. */
  refresh(): Promise<void> {
    return this.#read()
  }

  /** The task as it is now; what else is stored of it is read anew. */
  async update(task: TaskInfo): Promise<void> {
    if (task.taskId !== this.taskId) return
    this.#heard = newer(task, this.#heard)
    if (this.#details === undefined || newer(this.#details.task, task) !== task) return
    this.#seen.see(task)
    const { status, attempt } = this.#details.task
    this.#details = { ...this.#details, task }
    this.#show(this.#details)
    if (task.status !== status || task.attempt !== attempt) await this.#read()
  }

  removed(taskId: string): void {
    if (taskId !== this.taskId) return
    byId('task-page').replaceChildren(back(), h('p', { class: 'empty' }, 'This task was deleted.'))
    this.#details = undefined
  }

  tick(): void {
    if (this.#details) this.#showFacts(this.#details)
  }

  async #read(): Promise<void> {
    const reading = ++this.#reading
    try {
      const details = await describeTask(this.#client, this.taskId)
      if (reading !== this.#reading) return
      const isFirst = this.#details === undefined
      this.#details = { ...details, task: newer(details.task, this.#heard) }
      this.#seen.see(this.#details.task)
      if (isFirst) this.#lay(details)
      this.#show(this.#details)
    } catch (error) {
      const why =
        (error as { code?: unknown }).code === -32602 ? 'There is no such task: it may have expired.' : String(error)
      byId('task-page').replaceChildren(back(), h('p', { class: 'empty' }, why))
    }
  }

  #lay({ task, arguments: args }: TaskDetails): void {
    this.#request.textContent = JSON.stringify(callOf(task.tool ?? '', args, true), null, 2)
    const head = h('div', { class: 'task-head' }, this.#title, this.#pill)
    byId('task-page').replaceChildren(
      back(),
      h(
        'article',
        { class: 'card', 'aria-labelledby': this.#title.id },
        head,
        this.#message,
        this.#bar.element,
        this.#buttons,
        this.#facts
      ),
      this.#outcome,
      h('section', { class: 'card' }, h('h3', {}, 'Timeline'), this.#timeline),
      h('section', { class: 'card' }, h('h3', {}, 'Request'), this.#request)
    )
  }

  #show(details: TaskDetails): void {
    const { task } = details
    setText(this.#title, nameOf(task))
    setText(this.#pill, words[task.status])
    this.#pill.dataset['status'] = task.status
    setText(
      this.#message,
      isFinal(task) ? (task.statusMessage ?? '') : (task.progress?.message ?? task.statusMessage ?? '')
    )
    this.#bar.show(isFinal(task) ? undefined : task.progress, nameOf(task))
    this.#showButtons(details)
    this.#showFacts(details)
    this.#timeline.replaceChildren(renderTimeline(details, this.#seen.moments))
    if (isFinal(task) && !this.#isOutcomeShown) this.#showOutcome()
  }

  #showButtons({ task, arguments: args }: TaskDetails): void {
    if (this.#buttons.dataset['status'] === task.status) return
    this.#buttons.dataset['status'] = task.status
    const { taskId, status, tool = '' } = task
    const actions = this.#actions
    const open = [
      ...(status === 'input_required'
        ? [button('Answer here', () => actions.askHere(taskId), { class: 'primary' })]
        : []),
      button('Cancel', () => actions.cancel(taskId))
    ]
    this.#buttons.replaceChildren(
      ...(isFinal(task) ? [button('Run again', () => actions.runAgain(tool, args))] : open),
      button('Delete', () => actions.delete(taskId), { class: 'danger' }),
      copyButton('Copy id', () => taskId),
      copyButton('Copy link', () => location.href)
    )
  }

  #showFacts({ task, seq }: TaskDetails): void {
    const end = endOfLife(task)
    const worker = task.executor === undefined || isFinal(task) ? 'none' : shortId(task.executor)
    const facts: [name: string, value: string][] = [
      ['Id', task.taskId],
      ['Created', `${new Date(task.createdAt).toLocaleString()}, ${age(task.createdAt)}`],
      [isFinal(task) ? 'Kept for' : 'Fails in', end === undefined ? 'ever' : duration(end - Date.now())],
      ['Runs in', isFinal(task) ? 'no worker any more' : `worker ${worker}`],
      ['Run', String(task.attempt ?? 1)],
      ['Number', String(seq)]
    ]
    const text = JSON.stringify(facts)
    if (this.#facts.dataset['text'] === text) return
    this.#facts.dataset['text'] = text
    this.#facts.replaceChildren(...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))))
  }

  #showOutcome(): void {
    this.#isOutcomeShown = true
    const show = (element: HTMLElement): void => {
      this.#outcome.replaceChildren(
        h('section', { class: 'card', 'aria-label': 'Outcome' }, h('h3', {}, 'Outcome'), element)
      )
    }
    followTask(this.#client, this.taskId)
      .then((run) => run.result())
      .then(
        (result) => show(renderResult(result)),
        (error: unknown) => show(renderError(error as Error))
      )
  }
}
