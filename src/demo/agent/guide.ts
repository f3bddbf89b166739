// A script in place of a model: it picks the tool whose name the person said, and fills in what it finds in the sentence.

import type { AgentTool } from 'intab'
import { type Model, textOf } from './model.js'

/** Without those that say little, which are short in English. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]{4,}/g) ?? []

interface Property {
  type?: string
  default?: unknown
}

function argumentsFrom({ inputSchema }: AgentTool, text: string): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const numbers = text.match(/\d+/g) ?? []
  const said = /["“](.+)["”]/.exec(text)?.[1] ?? /\b(?:about|called|named|saying)\s+(.+?)[.!?]?$/.exec(text)?.[1]
  for (const [name, { type, default: usual }] of Object.entries(
    (inputSchema.properties ?? {}) as Record<string, Property>
  )) {
    const number = type === 'integer' || type === 'number' ? numbers.shift() : undefined
    if (number !== undefined) found[name] = Number(number)
    if (type === 'string' && usual === undefined && inputSchema.required?.includes(name)) found[name] = said ?? text
  }
  return found
}

export const guide: Model = {
  label: 'Scripted guide, no model',
  async next(messages, tools) {
    const last = messages.at(-1)
    if (last?.role === 'tool') return `${last.result?.isError ? 'That failed' : 'Done'}: ${textOf(last)}`
    const text = last?.text ?? ''
    const wanted = new Set(wordsOf(text))
    const [best] = tools
      .map((tool) => ({ tool, score: wordsOf(tool.title ?? tool.name).filter((word) => wanted.has(word)).length }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
    if (best !== undefined) return { name: best.tool.name, arguments: argumentsFrom(best.tool, text) }
    const can = tools.map(({ title, name }) => `“${title ?? name}”`).join(', ')
    return `I am a script, and know only the names of the tools. Say one of them: ${can}.`
  }
}
