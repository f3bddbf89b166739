// Questions of a task as this revision carries them: in a result, by a key, and answered under that key.

import { invalidParams } from '../errors.js'
import type { JsonObject, Outcome, Refusal, RequestRecord, TaskRecord } from '../types.js'
import { isObject } from './envelope.js'
import type { ModernHost } from './host.js'
import { HERE } from './keys.js'
import { keyOf, type ModernTask, projectTask } from './project-task.js'

/** What is answered, by key; throws -32602 for anything but results by key. */
export function answersIn(params: JsonObject): Map<string, JsonObject> {
  const given = params.inputResponses
  if (given === undefined) return new Map()
  const answers = isObject(given) ? Object.entries(given) : undefined
  if (answers === undefined) throw invalidParams('Invalid params: inputResponses must be an object of results by key')
  return new Map(
    answers.map(([key, result]) => {
      if (isObject(result)) return [key, result]
      throw invalidParams(`Invalid params: inputResponses['${key}'] must be an object`)
    })
  )
}

/**
 * Answers the open questions for which there is an answer, and leaves the rest; resolves with how many. A question whose
 * answer a person has to mend is asked again, with the reason; its answer is taken out of `answers`. Throws -32602, with
 * nothing written, when a program's answer does not fit its question.
 */
export async function answer(
  host: ModernHost,
  open: readonly RequestRecord[],
  answers: Map<string, JsonObject>
): Promise<number> {
  const fit: [RequestRecord, Outcome][] = []
  const refused: [RequestRecord, Omit<Refusal, 'count'>][] = []
  for (const request of open) {
    const key = keyOf(request)
    const result = answers.get(key)
    if (result === undefined) continue
    const checked = host.checkAnswer(request, result)
    if ('refused' in checked) {
      answers.delete(key)
      refused.push([request, checked.refused])
      continue
    }
    const { outcome } = checked
    if ('error' in outcome && request.method !== 'elicitation/create') {
      throw invalidParams(`inputResponses['${key}']: ${outcome.error.message}`)
    }
    fit.push([request, outcome])
  }
  for (const [request, outcome] of fit) {
    if (await host.messages.answer(request.requestId, host.owner, outcome)) host.answered(request)
  }
  for (const [request, why] of refused) await host.refuse(request, why)
  return fit.length
}

/**
 * The whole task as it is now, and which revision of it; its pending questions count as shown by this connection, if it
 * can answer them. Undefined when unknown, foreign or past its retention.
 */
export async function detail(
  host: ModernHost,
  taskId: string,
  can: TaskRecord['capabilities']
): Promise<{ task: TaskRecord; shown: ModernTask; here: string[] } | undefined> {
  const claimant = { connection: host.connection, can }
  const look = await host.messages.claim(taskId, host.owner, claimant, Number.MAX_SAFE_INTEGER)
  if (look === undefined) return undefined
  const { task, outcome } = look
  // Calls of tabs' tools are no questions.
  const questions = task.openRequests - (task.openCalls ?? 0)
  const open = questions > 0 ? await host.messages.open({ taskId }) : []
  // Answered between the two looks: look again.
  if (questions !== open.length) return detail(host, taskId, can)
  if (outcome !== undefined) host.fetched(taskId)
  const shown = projectTask(task, outcome, open)
  const here = open.filter(({ claimedBy }) => claimedBy === host.connection)
  if (open.length > 0) shown._meta[HERE] = here.map(keyOf)
  return { task, shown, here: here.map(({ requestId }) => requestId) }
}
