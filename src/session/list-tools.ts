// Task tools are listed as they were defined; the SDK would make their schemas anew each time, and leave out the icons.

import type { Result } from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '../types.js'
import type { Method } from './dispatcher.js'
import type { Hub } from './hub.js'

export function listTools({ tools }: Pick<Hub, 'tools'>, ask: (method: string) => Promise<Result>): Method {
  return {
    mine: () => tools.size > 0,
    async answer() {
      const result = (await ask('tools/list')) as { tools?: { name: string }[] }
      const listed = (result.tools ?? []).map((tool) => tools.get(tool.name)?.listed ?? tool)
      return { result: { ...result, tools: listed } as unknown as JsonObject }
    }
  }
}
