// Joins the parts of the page: what one of them hears, the others show.

import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { deleteTask, followTask, listQuestions, runTask, takeQuestion, type TaskInfo } from 'intab'
import { notify, showError } from './alerts.js'
import { button } from './button.js'
import { toolForm } from './call/tool-form.js'
import type { Connection } from './connection.js'
import { byId, setText } from './dom.js'
import { shortId } from './format.js'
import { answerRequests } from './questions/answer-requests.js'
import { Banner } from './questions/banner.js'
import { Dialogs } from './questions/dialogs.js'
import { heldBefore, keepHeld } from './questions/held.js'
import { linkTo, taskInAddress } from './router.js'
import { ownTasks, remember } from './tasks/own-tasks.js'
import { TaskFeed } from './tasks/task-feed.js'
import { TaskList } from './tasks/task-list.js'
import { TaskPage } from './tasks/task-page.js'
import { isFinal, learnTitle, nameOf, words } from './tasks/words.js'
import { openWhatIf } from './what-if/panel.js'

const asLongAsItTakes = 2 ** 31 - 1

const isPlain = ({ execution }: Tool): boolean => (execution?.taskSupport ?? 'forbidden') === 'forbidden'

export class Board {
  readonly #connection: Connection
  readonly #dialogs = new Dialogs()
  readonly #banner: Banner
  readonly #feed: TaskFeed
  readonly #list: TaskList
  #page: TaskPage | undefined

  constructor(connection: Connection) {
    const { client } = connection
    this.#connection = connection
    this.#banner = new Banner(connection, this.#dialogs)
    this.#feed = new TaskFeed(client)
    this.#list = new TaskList(this.#feed, this)
    answerRequests(client, this.#dialogs)
    const held = heldBefore()
    this.#dialogs.onchange = () => {
      keepHeld(this.#dialogs.ids)
      this.#banner.refresh()
    }
    this.#feed.ontask = (task) => this.#ontask(task)
    this.#feed.onremoved = (taskId) => {
      this.#page?.removed(taskId)
      this.#banner.refresh()
    }
    connection.onstate = () => this.#showState()
    connection.onserved = ({ isNewSession }) => {
      this.#showState()
      this.#catchUp(isNewSession, held.splice(0)).catch(showError)
    }
    addEventListener('hashchange', () => this.#place())
    byId('what-if').addEventListener('toggle', () => void openWhatIf(connection).catch(showError), { once: true })
    byId('agent').addEventListener('toggle', () => void this.#openAgent().catch(showError), { once: true })
    setInterval(() => this.#tick(), 1000)
  }

  start(): Promise<void> {
    return this.#connection.connect()
  }

  async cancel(taskId: string): Promise<void> {
    await (await followTask(this.#connection.client, taskId)).cancel()
  }

  async delete(taskId: string): Promise<void> {
    await deleteTask(this.#connection.client, taskId)
    location.hash = '#/'
  }

  /** Opens the questions of a task here, wherever they are now. */
  async askHere(taskId: string): Promise<void> {
    const questions = await listQuestions(this.#connection.client)
    for (const { requestId, taskId: of } of questions) {
      if (of !== taskId) continue
      if (this.#dialogs.ids.includes(requestId)) this.#dialogs.reopen(requestId)
      else await takeQuestion(this.#connection.client, requestId)
    }
  }

  /** Runs a tool as a task, and waits for it: whoever waits is asked its questions first. */
  async run(name: string, args: Record<string, unknown>): Promise<string> {
    const run = await runTask(this.#connection.client, { name, arguments: args })
    remember(run.taskId)
    // What it comes to is shown where the task is opened, an error as well.
    run.result().catch(() => undefined)
    return run.taskId
  }

  async runAgain(name: string, args: Record<string, unknown>): Promise<void> {
    location.hash = linkTo(await this.run(name, args))
  }

  /** Shows what is true now: a connection knows nothing of what the last one heard. */
  async #catchUp(isNewSession: boolean, held: readonly string[]): Promise<void> {
    if (isNewSession) await this.#showTools()
    await this.#feed.start()
    this.#place()
    this.#banner.refresh()
    if (isNewSession) this.#waitForOwn()
    for (const requestId of held) {
      // It may be settled by now, and then it is nobody's.
      await takeQuestion(this.#connection.client, requestId).catch(() => undefined)
    }
  }

  async #showTools(): Promise<void> {
    const { client } = this.#connection
    const { tools } = await client.listTools()
    for (const { name, title } of tools) learnTitle(name, title ?? name)
    if (byId('tools').childElementCount > 0) return
    const plainLast = tools.toSorted((a, b) => Number(isPlain(a)) - Number(isPlain(b)))
    const forms = plainLast.map((tool) =>
      toolForm(tool, {
        runTask: (name, args) => this.run(name, args),
        call: async (name, args, signal) => {
          const options = { signal, timeout: asLongAsItTakes }
          return (await client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult
        }
      })
    )
    byId('tools').replaceChildren(...forms)
    forms[0]?.setAttribute('open', '')
  }

  #waitForOwn(): void {
    const own = ownTasks()
    for (const task of this.#feed.shown) {
      if (isFinal(task) || !own.includes(task.taskId)) continue
      followTask(this.#connection.client, task.taskId)
        .then((run) => run.result())
        .catch(() => undefined)
    }
  }

  #ontask(task: TaskInfo): void {
    this.#page?.update(task).catch(showError)
    const isAsking = this.#banner.questions.some(({ taskId }) => taskId === task.taskId)
    if (isAsking || task.status === 'input_required') this.#banner.refresh()
    if (task.status !== 'working') setText(byId('announcer'), `${nameOf(task)}: ${words[task.status]}`)
  }

  #place(): void {
    const taskId = taskInAddress()
    if (taskId !== undefined && this.#page?.taskId === taskId) {
      this.#page.refresh().catch(showError)
      return
    }
    document.body.dataset['view'] = taskId === undefined ? 'list' : 'task'
    this.#page = taskId === undefined ? undefined : new TaskPage(this.#connection.client, taskId, this)
    if (this.#page) this.#page.open().catch(showError)
    else byId('task-page').replaceChildren()
    // On a narrow screen the page of a task takes the place of all else.
    this.#dialogs.refresh()
  }

  /** Nothing of the agent is loaded before its pane is opened. */
  async #openAgent(): Promise<void> {
    const { client, connected } = this.#connection
    const [{ AgentPane }] = await Promise.all([import('./agent/pane.js'), connected])
    const onplaces = (): void => this.#dialogs.refresh()
    const pane = new AgentPane(byId('agent-pane'), client, { askHere: (taskId) => this.askHere(taskId), onplaces })
    this.#dialogs.placeOf = (id) => pane.placeOf(id)
    byId('agent').addEventListener('toggle', onplaces)
    await pane.open()
  }

  #showState(): void {
    const { state, worker } = this.#connection
    const element = byId('connection')
    element.dataset['state'] = state
    setText(element, state === 'connected' && worker !== undefined ? `connected to worker ${shortId(worker)}` : state)
    if (state !== 'superseded') return
    const reload = button('Reload', () => location.reload(), { class: 'small' })
    notify('A newer version of this page has taken over the tasks.', 'note', reload)
  }

  #tick(): void {
    this.#list.tick()
    this.#page?.tick()
  }
}
