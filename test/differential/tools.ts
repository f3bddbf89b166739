// The tools of both servers, as far as they do not depend on who runs them.

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult, ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { text } from '../support/tools.js'
import { RpcError } from '../../src/errors.js'

/** So short that the SDK, which sleeps for it, does not take long. */
export const pollInterval = 20

export type Ask = (params: ElicitRequestFormParams) => Promise<ElicitResult>

export interface ToolSpec {
  name: string
  taskSupport: 'optional' | 'required'
  inputSchema: z.ZodRawShape
  run(args: Record<string, unknown>, ask: Ask): CallToolResult | Promise<CallToolResult>
}

async function confirm({ filename }: Record<string, unknown>, ask: Ask): Promise<CallToolResult> {
  const { action } = await ask({
    mode: 'form',
    message: `Delete ${String(filename)}?`,
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] }
  })
  return text(action)
}

const filename = { filename: z.string() }

export const specs: ToolSpec[] = [
  { name: 'quick', taskSupport: 'optional', inputSchema: {}, run: () => text('done') },
  { name: 'typed', taskSupport: 'optional', inputSchema: { n: z.number() }, run: ({ n }) => text(String(n)) },
  { name: 'fails', taskSupport: 'optional', inputSchema: {}, run: () => ({ ...text('no luck'), isError: true }) },
  {
    name: 'throws',
    taskSupport: 'optional',
    inputSchema: {},
    run: () => {
      throw new Error('on fire')
    }
  },
  {
    name: 'throws_coded',
    taskSupport: 'optional',
    inputSchema: {},
    run: () => {
      throw new RpcError(-32050, 'pay first', { price: 1 })
    }
  },
  { name: 'forever', taskSupport: 'required', inputSchema: {}, run: () => new Promise(() => undefined) },
  { name: 'confirm', taskSupport: 'required', inputSchema: filename, run: confirm },
  { name: 'confirm_any', taskSupport: 'optional', inputSchema: filename, run: confirm }
]

export function registerPlain(server: McpServer): void {
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => text(String(a + b)))
}
