// A schema that is made when it is first needed: a worker that starts makes none that its first messages do not need.

import * as z from 'zod'

/**
 * Made without the code that zod compiles for each schema: that takes longer than a session ever saves by it, and a
 * strict Content-Security-Policy forbids it.
 */
export function lazily<T extends z.ZodType>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    if (made !== undefined) return made
    const { jitless } = z.config()
    z.config({ jitless: true })
    try {
      return (made = make())
    } finally {
      z.config({ jitless })
    }
  }
}

/** Any object: what is in it is its owner's business. */
export const anyObject = lazily(() =>
  z.custom<object>((value) => value !== null && (typeof value === 'object' || typeof value === 'function'))
)

/** `_meta` of a request or a result: https://modelcontextprotocol.io/specification/2025-11-25/basic#_meta */
export const meta = lazily(() =>
  z.looseObject({
    progressToken: z.union([z.string(), z.number().int()]).optional(),
    'io.modelcontextprotocol/related-task': z.object({ taskId: z.string() }).optional()
  })
)

/** `_meta` of a part of a result. */
export const partMeta = lazily(() => z.record(z.string(), z.unknown()))
