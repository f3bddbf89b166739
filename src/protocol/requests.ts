// Requests of MCP 2025-11-25 that a worker answers by itself, as the SDK's schemas take them: test/unit/protocol holds that.

import * as z from 'zod'
import { anyObject, lazily, meta } from './schema.js'

/** Revisions with sessions that are spoken here, the newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const

const params = lazily(() => z.object({ _meta: meta().optional() }))

/** A request of JSON-RPC, whatever it asks. */
export const request = lazily(() =>
  z
    .object({
      jsonrpc: z.literal('2.0'),
      id: z.union([z.string(), z.number().int()]),
      method: z.string(),
      params: params().loose().optional()
    })
    .strict()
)

const icons = lazily(() =>
  z.array(
    z.object({
      src: z.string(),
      mimeType: z.string().optional(),
      sizes: z.array(z.string()).optional(),
      theme: z.enum(['light', 'dark']).optional()
    })
  )
)

/** What names and pictures a part of the protocol has: implementations and resources. */
export const named = () => ({ name: z.string(), title: z.string().optional(), icons: icons().optional() })

/** An empty `elicitation` means forms. */
const elicitation = lazily(() =>
  z.preprocess(
    (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
        ? { form: {} }
        : value,
    z.intersection(
      z.object({
        form: z
          .intersection(z.object({ applyDefaults: z.boolean().optional() }), z.record(z.string(), z.unknown()))
          .optional(),
        url: anyObject().optional()
      }),
      z.record(z.string(), z.unknown()).optional()
    )
  )
)

const capabilities = lazily(() =>
  z.object({
    experimental: z.record(z.string(), anyObject()).optional(),
    sampling: z.object({ context: anyObject().optional(), tools: anyObject().optional() }).optional(),
    elicitation: elicitation().optional(),
    roots: z.object({ listChanged: z.boolean().optional() }).optional(),
    tasks: z
      .looseObject({
        list: anyObject().optional(),
        cancel: anyObject().optional(),
        requests: z
          .looseObject({
            sampling: z.looseObject({ createMessage: anyObject().optional() }).optional(),
            elicitation: z.looseObject({ create: anyObject().optional() }).optional()
          })
          .optional()
      })
      .optional(),
    extensions: z.record(z.string(), anyObject()).optional()
  })
)

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization */
export const initialize = lazily(() =>
  z.object({
    params: params().extend({
      protocolVersion: z.string(),
      capabilities: capabilities(),
      clientInfo: z.object({
        ...named(),
        version: z.string(),
        websiteUrl: z.string().optional(),
        description: z.string().optional()
      })
    })
  })
)

/** Any request whose params are not looked at, but for `_meta`. */
export const plain = lazily(() => z.object({ params: params().optional() }))

/** https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#setting-log-level */
export const setLevel = lazily(() =>
  z.object({
    params: params().extend({
      level: z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])
    })
  })
)

/** https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination */
export const paginated = lazily(() =>
  z.object({ params: params().extend({ cursor: z.string().optional() }).optional() })
)

/** Params of a call: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#calling-tools */
export const toolCall = lazily(() =>
  params().extend({
    task: z.object({ ttl: z.number().optional() }).optional(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).optional()
  })
)

const objectSchema = lazily(() => z.looseObject({ type: z.literal('object') }))

/** Params of `intab/lend`: what a tab lends, and whether somebody looks at it. */
export const lend = lazily(() =>
  z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string().optional(),
        description: z.string().optional(),
        inputSchema: objectSchema(),
        outputSchema: objectSchema().optional(),
        annotations: z.looseObject({}).optional()
      })
    ),
    page: z.string(),
    visible: z.boolean(),
    focusedAt: z.number()
  })
)
