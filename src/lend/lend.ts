// Tools that a tab lends to its worker, which cannot touch the page: the words that both halves speak.
//
// A tab tells all that it lends, and whether a person looks at it, in one `intab/lend` request, sent again at each change;
// a new worker hears the last one. The worker calls a tool by an `intab/lent/call` request, whose row and id outlive the
// worker as a question's do; the response is kept until it is acknowledged. `lend-tools.ts` is the tab's half,
// `lenders.ts` the worker's.

import type { Tool } from '@modelcontextprotocol/sdk/types.js'

export { LENT_CALL } from '../tasks/input-request.js'

export const LEND = 'intab/lend'

/** `data` of the error by which a page returns a call of a tool that it stopped lending meanwhile, and did not run. */
export const notLent = { code: 'not_lent' }

export function isReturned({ error }: { error?: unknown }): boolean {
  const { data } = (error ?? {}) as { data?: { code?: unknown } }
  return data?.code === notLent.code
}

/** What tools/list shows of a lent tool. */
export type LentTool = Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'>

/** The params of `intab/lend`. */
export interface Lending {
  /** All that the client lends now; a tool that is missing is lent no more. */
  tools: LentTool[]
  /** What a person calls this page. */
  page: string
  visible: boolean
  /** When it last had the focus; milliseconds since the epoch, 0: never. */
  focusedAt: number
}
