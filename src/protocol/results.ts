// Results of MCP 2025-11-25 that a worker takes from tools and clients, as the SDK's schemas take them: test/unit/protocol
// holds that.

import * as z from 'zod'
import { named } from './requests.js'
import { lazily, meta, partMeta } from './schema.js'

/** Any result: what it adds is its method's. */
export const result = lazily(() => z.looseObject({ _meta: meta().optional() }))

const base64 = lazily(() =>
  z.string().refine(
    (text) => {
      try {
        atob(text)
        return true
      } catch {
        return false
      }
    },
    { message: 'Invalid Base64 string' }
  )
)

const role = lazily(() => z.enum(['user', 'assistant']))

const annotations = lazily(() =>
  z.object({
    audience: z.array(role()).optional(),
    priority: z.number().min(0).max(1).optional(),
    lastModified: z.iso.datetime({ offset: true }).optional()
  })
)

const about = () => ({ annotations: annotations().optional(), _meta: partMeta().optional() })

const text = lazily(() => z.object({ type: z.literal('text'), text: z.string(), ...about() }))
const image = lazily(() => z.object({ type: z.literal('image'), data: base64(), mimeType: z.string(), ...about() }))
const audio = lazily(() => z.object({ type: z.literal('audio'), data: base64(), mimeType: z.string(), ...about() }))

const resourceLink = lazily(() =>
  z.object({
    ...named(),
    uri: z.string(),
    description: z.string().optional(),
    mimeType: z.string().optional(),
    size: z.number().optional(),
    annotations: annotations().optional(),
    _meta: z.looseObject({}).optional(),
    type: z.literal('resource_link')
  })
)

const contents = () => ({ uri: z.string(), mimeType: z.string().optional(), _meta: partMeta().optional() })
const resource = lazily(() =>
  z.object({
    type: z.literal('resource'),
    resource: z.union([z.object({ ...contents(), text: z.string() }), z.object({ ...contents(), blob: base64() })]),
    ...about()
  })
)

const contentBlock = lazily(() => z.union([text(), image(), audio(), resourceLink(), resource()]))

/** https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result */
export const callToolResult = lazily(() =>
  result().extend({
    content: z.array(contentBlock()).default([]),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    isError: z.boolean().optional()
  })
)

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#creating-tasks */
export const createTaskResult = lazily(() =>
  result().extend({
    task: z.object({
      taskId: z.string(),
      status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
      ttl: z.union([z.number(), z.null()]),
      createdAt: z.string(),
      lastUpdatedAt: z.string(),
      pollInterval: z.optional(z.number()),
      statusMessage: z.optional(z.string())
    })
  })
)

/** https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#response-actions */
export const elicitResult = lazily(() =>
  result().extend({
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.preprocess(
      (value) => (value === null ? undefined : value),
      z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional()
    )
  })
)

/** https://modelcontextprotocol.io/specification/2025-11-25/client/roots#listing-roots */
export const listRootsResult = lazily(() =>
  result().extend({
    roots: z.array(
      z.object({ uri: z.string().startsWith('file://'), name: z.string().optional(), _meta: partMeta().optional() })
    )
  })
)

const toolUse = lazily(() =>
  z.object({
    type: z.literal('tool_use'),
    name: z.string(),
    id: z.string(),
    input: z.record(z.string(), z.unknown()),
    _meta: partMeta().optional()
  })
)

const toolResult = lazily(() =>
  z.object({
    type: z.literal('tool_result'),
    toolUseId: z.string(),
    content: z.array(contentBlock()).default([]),
    structuredContent: z.object({}).loose().optional(),
    isError: z.boolean().optional(),
    _meta: partMeta().optional()
  })
)

const message = (reasons: readonly string[]) => ({
  model: z.string(),
  stopReason: z.optional(z.enum(reasons).or(z.string())),
  role: role()
})
const reasons = ['endTurn', 'stopSequence', 'maxTokens']

/** https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#creating-messages */
export const createMessageResult = lazily(() =>
  result().extend({ ...message(reasons), content: z.discriminatedUnion('type', [text(), image(), audio()]) })
)

/** The same where the request offered tools. */
export const createMessageResultWithTools = lazily(() => {
  const block = z.discriminatedUnion('type', [text(), image(), audio(), toolUse(), toolResult()])
  return result().extend({ ...message([...reasons, 'toolUse']), content: z.union([block, z.array(block)]) })
})
