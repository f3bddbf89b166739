// What a client answered, checked before it is written: the shape of the result, and a form against its schema.

import { RPC, toError } from '../errors.js'
import { checkForm, type FormProblem } from '../forms/check-form.js'
import type { Checked } from '../modern/host.js'
import { plainJson } from '../plain-json.js'
import * as results from '../protocol/results.js'
import type { ErrorObject, JsonObject, Outcome, RequestRecord } from '../types.js'

const refused = (message: string): Outcome => ({ error: { code: RPC.invalidParams, message } })

function errorOf(method: string, error: Partial<ErrorObject> | undefined): Outcome {
  const { code, message, data } = error ?? {}
  if (!Number.isSafeInteger(code) || typeof message !== 'string') return refused('The client sent a malformed error')
  return { error: answeredError(method, { code: Number(code), message, ...(data !== undefined && { data }) }) }
}

const schemas: Readonly<Record<string, string>> = {
  'elicitation/create': 'ElicitRequestSchema',
  'sampling/createMessage': 'CreateMessageRequestSchema',
  'roots/list': 'ListRootsRequestSchema'
}

/** The error that a client answered to a question; that it has no handler is said so that nobody looks for one here. */
export function answeredError(method: string, error: ErrorObject): ErrorObject {
  if (error.code !== RPC.methodNotFound) return error
  const schema = schemas[method] ?? 'its schema'
  return {
    code: error.code,
    message:
      `The client declared that it answers ${method}, but has no handler for it (it answered: ${error.message}): ` +
      `call client.setRequestHandler(${schema}, handler), or do not declare the capability`,
    data: { code: 'no_handler', method }
  }
}

/** Refused answers to one question, after which the tool is told. */
const mostRefusals = 5

/**
 * What comes of a response: the outcome to store, or why the question is asked again. Only a person can mend an answer,
 * so only an elicitation is; any other response that does not fit becomes an error that the tool sees.
 */
export function checkAnswer(
  request: RequestRecord,
  response: { result?: unknown; error?: unknown },
  limit: number
): Checked {
  if (!('result' in response)) {
    return { outcome: errorOf(request.method, response.error as Partial<ErrorObject> | undefined) }
  }
  if (request.method === 'elicitation/create') return checkElicitation(request, response.result, limit)
  if (request.method === 'roots/list') return { outcome: checkRoots(response.result) }
  if (request.lent) {
    const { data } = results.callToolResult().safeParse(response.result)
    return { outcome: data ? { result: data as JsonObject } : refused("The page's answer is no tool result") }
  }
  const parsed = (
    request.params.tools === undefined ? results.createMessageResult() : results.createMessageResultWithTools()
  ).safeParse(response.result)
  if (parsed.success) return { outcome: { result: parsed.data as JsonObject } }
  return { outcome: refused(`The client's sampling result is malformed: ${parsed.error.issues[0]?.message ?? ''}`) }
}

function checkRoots(result: unknown): Outcome {
  const parsed = results.listRootsResult().safeParse(result)
  if (parsed.success) return { result: parsed.data as JsonObject }
  return refused(`The client's roots are malformed: ${parsed.error.issues[0]?.message ?? ''}`)
}

function checkElicitation({ params, refused: before }: RequestRecord, result: unknown, limit: number): Checked {
  let answer: JsonObject
  const refuse = (reason: string, told: string, kept?: JsonObject): Checked => {
    if ((before?.count ?? 0) >= mostRefusals)
      return { outcome: refused(`${told} (refused ${mostRefusals} times before)`) }
    return { refused: { reason, ...(kept && { answer: kept }) } }
  }
  try {
    answer = plainJson(result, 'The answer', limit).value as JsonObject
  } catch (error) {
    const { message } = toError(error)
    return refuse(message, `The client's elicitation result cannot be kept: ${message}`)
  }
  const parsed = results.elicitResult().safeParse(answer)
  if (!parsed.success) {
    const told = `The client's elicitation result is malformed: ${parsed.error.issues[0]?.message ?? ''}`
    return refuse(told, told, answer)
  }
  const { action, content = {} } = parsed.data
  if (action !== 'accept' || params.requestedSchema === undefined)
    return { outcome: { result: parsed.data as JsonObject } }
  let problems: FormProblem[]
  try {
    problems = checkForm(params.requestedSchema as JsonObject, content)
  } catch (error) {
    // A schema that nobody can read fits nothing: the tool must hear of it, and the tab not be asked for another answer.
    return { outcome: refused(`${mismatch}: the schema cannot be read: ${toError(error).message}`) }
  }
  if (problems.length === 0) return { outcome: { result: parsed.data as JsonObject } }
  const reason = problems.map(({ field, message }) => (field === '' ? message : `${field} ${message}`)).join('; ')
  return refuse(reason, `${mismatch}: ${reason}`, answer)
}

const mismatch = 'Elicitation response content does not match requested schema'
