// Questions of a task, answered by the handlers that the app has set for its client.

import { asLongAsItTakes, type ConnectedClient } from '../../protocol/connected-client.js'
import { askWith, declaredIn, type Hook, withTasks } from './hook.js'
import type { InputRequest, ShownTask } from './shown-task.js'

/** What a client must have declared to be asked. */
const needs: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots'
}

/**
 * Has the client answer one question as it answers those of a plain call: by a call that asks in a round and never leaves
 * the tab. Undefined when the client did not declare what the question needs; rejects with what the handler threw.
 */
async function answerHere(
  client: ConnectedClient,
  key: string,
  question: InputRequest,
  signal: AbortSignal
): Promise<unknown> {
  let answered: unknown
  const hook: Hook = {
    send(request, answer) {
      const answers = request.params?.inputResponses as Record<string, unknown> | undefined
      answered = answers?.[key]
      const can = declaredIn(request)[needs[question.method] ?? ''] !== undefined
      const isDone = answers !== undefined || !can
      const result = isDone
        ? { resultType: 'complete', content: [] }
        : { resultType: 'input_required', inputRequests: { [key]: question } }
      answer({ result })
      return undefined
    }
  }
  await askWith(client, hook, 'tools/call', { name: key }, { timeout: asLongAsItTakes, signal })
  return answered
}

/** The questions of one task that this client shows. */
export class Questions {
  readonly #client: ConnectedClient
  readonly #taskId: string
  readonly #onfailure: (error: unknown) => void
  /** By key: the question as it was asked, and the way to take it back. */
  readonly #asked = new Map<string, { said: string; stop: AbortController }>()

  constructor(client: ConnectedClient, taskId: string, onfailure: (error: unknown) => void) {
    this.#client = client
    this.#taskId = taskId
    this.#onfailure = onfailure
  }

  /** Asks what is new or asked again, and takes back what is open no longer, or shown elsewhere. */
  update({ requests, here }: Pick<ShownTask, 'requests' | 'here'>): void {
    const open = new Map(Object.entries(requests).filter(([key]) => here?.includes(key) ?? true))
    for (const [key, { stop }] of this.#asked) {
      if (open.has(key)) continue
      stop.abort(new Error('The question was answered elsewhere or withdrawn'))
      this.#asked.delete(key)
    }
    for (const [key, question] of open) {
      const said = JSON.stringify(question)
      const before = this.#asked.get(key)
      if (before?.said === said) continue
      before?.stop.abort(new Error('The question is asked again'))
      const stop = new AbortController()
      this.#asked.set(key, { said, stop })
      this.#ask(key, question, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) this.#onfailure(error)
      })
    }
  }

  async #ask(key: string, question: InputRequest, signal: AbortSignal): Promise<void> {
    const answer = await answerHere(this.#client, key, question, signal)
    if (answer === undefined || signal.aborted) return
    const params = { taskId: this.#taskId, inputResponses: { [key]: answer } }
    await askWith(this.#client, { send: withTasks }, 'tasks/update', params)
  }
}
