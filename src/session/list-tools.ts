// Task tools are listed as they were defined (the SDK would make their schemas anew each time, and leave out the icons),
// and beside the worker's own tools those that tabs lend.

import type { JsonObject } from '../types.js'
import type { Method } from './dispatcher.js'
import type { Hub } from './hub.js'
import { lentTool } from './lent-tools.js'
import type { Session } from './session.js'

export function listTools({ tools, lenders }: Hub, { owner }: Session, own: () => Promise<{ name: string }[]>): Method {
  return {
    mine: () => true,
    async answer() {
      const found = await own()
      const names = new Set(found.map(({ name }) => name))
      const lent = lenders.tools(owner).filter(({ name }) => !names.has(name))
      const all = [
        ...found.map((tool) => tools.get(tool.name)?.listed ?? tool),
        ...lent.map((tool) => lentTool(tool).listed)
      ]
      return { result: { tools: all } as unknown as JsonObject }
    }
  }
}
