// Lent tools as a session serves them: lent by `intab/lend`, called as any task tool is, by a handler that calls the tab.

import { invalidParams, RPC, RpcError, toError } from '../errors.js'
import { misfitFinder } from '../forms/json-schema.js'
import type { Lending, LentTool } from '../lend/lend.js'
import { lend as lendParams } from '../protocol/requests.js'
import type { JsonObject } from '../types.js'
import type { Method } from './dispatcher.js'
import type { Hub } from './hub.js'
import { parseParams } from './parse-params.js'
import type { Session } from './session.js'
import type { TaskTool } from '../tool/tool.js'

/** `ownNames`: the tools that the worker itself has. */
export function lend(hub: Hub, session: Session, ownNames: () => Promise<Set<string>>): Method {
  return {
    async answer({ params }) {
      const lending: Lending = parseParams(lendParams(), params)
      const own = lending.tools.length === 0 ? undefined : await ownNames()
      const taken = lending.tools.map(({ name }) => name).filter((name) => own?.has(name))
      if (taken.length > 0) {
        throw new RpcError(
          RPC.invalidParams,
          `The worker has a tool of its own with the name ${taken.join(', ')}: lend yours under another name`,
          { code: 'duplicate_tool', names: taken }
        )
      }
      await hub.lenders.lend(session, lending)
      return { result: {} }
    }
  }
}

/** Runs calls of a tool that tabs lend; each is a task, where the client wants one. */
export function lentTool(tool: LentTool): TaskTool {
  const { name, inputSchema } = tool
  return {
    name,
    onInterrupt: 'resume',
    maxAttempts: 3,
    config: { inputSchema: {}, taskSupport: 'optional' },
    listed: { ...tool, execution: { taskSupport: 'optional' }, _meta: { 'intab/lent': true } },
    async check(args) {
      const why = mismatch(inputSchema as JsonObject, args)
      if (why !== undefined) throw invalidParams(`Input validation error: Invalid arguments for tool ${name}: ${why}`)
    },
    run: (args, task) => task.callTab(name, args) as Promise<unknown> as Promise<JsonObject>
  }
}

/** The lent tool of a task that exists, whose arguments were checked: whoever runs it on need not know what tabs lend. */
export const lentBefore = (name: string): TaskTool => lentTool({ name, inputSchema: { type: 'object' } })

/** Why the arguments do not fit, or undefined. */
function mismatch(schema: JsonObject, args: JsonObject): string | undefined {
  try {
    const misfits = misfitFinder(schema)(args)
    return misfits.length === 0
      ? undefined
      : misfits.map(({ place, message }) => `${place === '' ? '' : `${place}: `}${message}`).join('; ')
  } catch (error) {
    return `its schema cannot be read: ${toError(error).message}`
  }
}
