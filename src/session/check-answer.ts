// What a client answered, checked before it is written: the shape of the result, and a form against its schema.

import {
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
  ElicitResultSchema,
  ListRootsResultSchema
} from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation/types.js'
import { RPC, toError } from '../errors.js'
import type { ErrorObject, Json, JsonObject, Outcome, RequestRecord } from '../types.js'

export const validator = new CfWorkerJsonSchemaValidator({ shortcircuit: false })

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

/** The outcome to store for a response; one that does not fit becomes an error that the tool sees. */
export function checkAnswer(request: RequestRecord, response: { result?: unknown; error?: unknown }): Outcome {
  if (!('result' in response)) return errorOf(request.method, response.error as Partial<ErrorObject> | undefined)
  if (request.method === 'elicitation/create') return checkElicitation(request.params, response.result)
  if (request.method === 'roots/list') return checkRoots(response.result)
  const schema = request.params.tools === undefined ? CreateMessageResultSchema : CreateMessageResultWithToolsSchema
  const parsed = schema.safeParse(response.result)
  if (parsed.success) return { result: parsed.data as JsonObject }
  return refused(`The client's sampling result is malformed: ${parsed.error.issues[0]?.message ?? ''}`)
}

function checkRoots(result: unknown): Outcome {
  const parsed = ListRootsResultSchema.safeParse(result)
  if (parsed.success) return { result: parsed.data as JsonObject }
  return refused(`The client's roots are malformed: ${parsed.error.issues[0]?.message ?? ''}`)
}

function checkElicitation(params: JsonObject, result: unknown): Outcome {
  const parsed = ElicitResultSchema.safeParse(result)
  if (!parsed.success) {
    return refused(`The client's elicitation result is malformed: ${parsed.error.issues[0]?.message ?? ''}`)
  }
  const { action, content } = parsed.data
  const schema: Json | undefined = params.requestedSchema
  if (action === 'accept' && schema !== undefined) {
    const why = mismatch(schema as JsonSchemaType, content ?? {})
    if (why !== undefined) return refused(`Elicitation response content does not match requested schema: ${why}`)
  }
  return { result: parsed.data as JsonObject }
}

/** A schema that nobody can read fits nothing: the tool must hear of it, and the tab not be asked for another answer. */
function mismatch(schema: JsonSchemaType, content: unknown): string | undefined {
  try {
    const { valid, errorMessage } = validator.getValidator(schema)(content)
    return valid ? undefined : (errorMessage ?? 'it is not valid')
  } catch (error) {
    return `the schema cannot be read: ${toError(error).message}`
  }
}
