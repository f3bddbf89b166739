// The SDK's tools/list leaves out icons: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool

import type { Result } from '@modelcontextprotocol/sdk/types.js'
import type { Json, JsonObject } from '../types.js'
import type { Method } from './dispatcher.js'
import type { Hub } from './hub.js'

export function listTools({ tools }: Pick<Hub, 'tools'>, ask: (method: string) => Promise<Result>): Method {
  const iconsOf = (name: string): Json | undefined => tools.get(name)?.config.icons as unknown as Json | undefined
  return {
    mine: () => [...tools.values()].some(({ config }) => config.icons !== undefined),
    async answer() {
      const result = (await ask('tools/list')) as { tools?: { name: string }[] }
      const listed = (result.tools ?? []).map((tool) => {
        const icons = iconsOf(tool.name)
        return icons === undefined ? tool : { ...tool, icons }
      })
      return { result: { ...result, tools: listed } as unknown as JsonObject }
    }
  }
}
