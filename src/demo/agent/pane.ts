/// <reference types="vite/client" />
// A chat with an agent that uses the tools of this origin. The newest conversation goes on wherever the pane is opened.

import './agent.css'
import { type AgentTools, agentTools, type ConnectedClient } from 'intab'
import { showError } from '../alerts.js'
import { button } from '../button.js'
import { h, setText } from '../dom.js'
import { alone, type Conversation, keep, newConversation, read, readAll, type ToolMessage } from './conversations.js'
import { goOn } from './loop.js'
import { ModelChoice } from './model-choice.js'
import { Transcript } from './transcript.js'

const titleOf = ({ messages: [first] }: Conversation): string =>
  first === undefined || first.role === 'tool' ? 'New conversation' : first.text.slice(0, 60)

export class AgentPane {
  readonly #tools: AgentTools
  readonly #transcript: Transcript
  readonly #choice = h('select', { 'aria-label': 'Conversation' })
  readonly #model = new ModelChoice()
  readonly #text = h('input', {
    type: 'text',
    'aria-label': 'Message',
    placeholder: 'Count down 5 seconds',
    required: true
  })
  readonly #send = h('button', { type: 'submit', class: 'primary' }, 'Send')
  readonly #stop = button('Stop', () => this.#running?.abort(new Error('Stopped by the user')), { class: 'small' })
  readonly #again = button('Go on', () => void this.#run(), { class: 'small' })
  readonly #note = h('p', { class: 'hint', role: 'status' })
  readonly #onplaces: () => void
  #conversation = newConversation()
  /** Aborts when another conversation is opened: this one is then free for other tabs. */
  #open = new AbortController()
  #running: AbortController | undefined
  #isOurs = false

  /** `onplaces`: places for questions came or went. */
  constructor(
    root: HTMLElement,
    client: ConnectedClient,
    { askHere, onplaces }: { askHere(taskId: string): Promise<void>; onplaces(): void }
  ) {
    this.#tools = agentTools(client)
    this.#onplaces = onplaces
    this.#transcript = new Transcript(askHere)
    const form = h('form', { class: 'agent-form' }, this.#text, this.#send)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#say().catch(showError)
    })
    this.#choice.addEventListener('change', () => this.#show(this.#choice.value))
    const fresh = button('New', () => this.#show(undefined), { class: 'small', 'aria-label': 'New conversation' })
    root.replaceChildren(
      h('div', { class: 'agent-bar' }, this.#choice, fresh, ...this.#model.elements),
      this.#transcript.element,
      h('div', { class: 'agent-bar' }, this.#note, this.#stop, this.#again),
      form
    )
    this.#refresh()
  }

  /** Where a question stands in the conversation, if its call can be seen. */
  placeOf(requestId: string): HTMLElement | undefined {
    // task:<taskId>:<uuid>, see docs/wire.md
    return this.#transcript.placeOf(requestId.split(':')[1])
  }

  async open(): Promise<void> {
    await this.#model.open()
    const [newest] = await readAll()
    this.#show(newest?.id)
  }

  #show(id: string | undefined): void {
    this.#open.abort(new Error('Another conversation was opened'))
    this.#open = new AbortController()
    const { signal } = this.#open
    this.#isOurs = false
    this.#conversation = newConversation()
    const hold = async (): Promise<void> => {
      if (id !== undefined) this.#conversation = (await read(id)) ?? this.#conversation
      this.#isOurs = true
      await this.#list()
      const over = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.all([over, this.#run()])
    }
    alone(id ?? this.#conversation.id, signal, hold).catch((error: unknown) => {
      if (!signal.aborted) showError(error)
    })
    this.#refresh()
  }

  async #say(): Promise<void> {
    const text = this.#text.value.trim()
    if (text === '' || !this.#isOurs || this.#running !== undefined) return
    this.#conversation.messages.push({ role: 'user', text })
    this.#text.value = ''
    await keep(this.#conversation)
    await Promise.all([this.#list(), this.#run()])
  }

  /** Lets the agent go on until it has answered. */
  async #run(): Promise<void> {
    const conversation = this.#conversation
    const running = new AbortController()
    this.#running = running
    this.#refresh()
    try {
      await goOn({
        conversation,
        model: this.#model.model,
        tools: this.#tools,
        keep: () => {
          this.#refresh()
          return keep(conversation)
        },
        onstatus: (message: ToolMessage, task) => {
          this.#onplaces()
          this.#transcript.status(message, task)
        },
        signal: running.signal
      })
    } catch (error) {
      showError(error)
    } finally {
      if (this.#running === running) this.#running = undefined
      this.#refresh()
    }
  }

  async #list(): Promise<void> {
    const kept = await readAll()
    const all = kept.some(({ id }) => id === this.#conversation.id) ? kept : [this.#conversation, ...kept]
    this.#choice.replaceChildren(
      ...all.map((each) => h('option', { value: each.id, selected: each.id === this.#conversation.id }, titleOf(each)))
    )
    this.#refresh()
  }

  #refresh(): void {
    const { messages } = this.#conversation
    const isRunning = this.#running !== undefined
    const last = messages.at(-1)
    const isOver = last === undefined || last.role === 'agent'
    this.#transcript.show(messages)
    this.#onplaces()
    this.#stop.hidden = !isRunning || isOver
    this.#again.hidden = isRunning || isOver || !this.#isOurs
    this.#send.disabled = isRunning || !this.#isOurs
    setText(this.#note, this.#isOurs ? (isRunning && !isOver ? 'Working …' : '') : 'Open in another tab, or loading')
  }
}
