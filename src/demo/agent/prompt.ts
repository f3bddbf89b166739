// What a language model is told, and what its reply comes to.

import type { AgentTool } from 'intab'
import type { Turn } from '../questions/language-model.js'
import type { Call, Message } from './conversations.js'
import { textOf } from './model.js'

function asTurn(message: Message): Turn {
  if (message.role === 'user') return { role: 'user', content: message.text }
  if (message.role === 'agent') return { role: 'assistant', content: JSON.stringify({ say: message.text }) }
  const failed = message.result?.isError ? 'failed' : 'returned'
  return { role: 'user', content: `The tool ${message.call.name} ${failed}: ${textOf(message)}` }
}

const instruct = (tools: readonly AgentTool[]): string =>
  `You help a person with these tools: ${JSON.stringify(
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  )}. Reply with one JSON object: {"call": name, "arguments": {…}} to call a tool, or {"say": text} to answer.`

export const promptOf = (messages: readonly Message[], tools: readonly AgentTool[]): Turn[] => [
  { role: 'system', content: instruct(tools) },
  ...messages.map(asTurn)
]

/** The object that a reply holds, whatever a model says around it. */
function objectIn(text: string): Record<string, unknown> | undefined {
  const start = text.indexOf('{')
  for (let end = text.lastIndexOf('}'); start >= 0 && end > start; end = text.lastIndexOf('}', end - 1)) {
    try {
      const value: unknown = JSON.parse(text.slice(start, end + 1))
      return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
    } catch {
      // A shorter part may be JSON.
    }
  }
  return undefined
}

/** The call or the answer in a model's reply. A reply that is neither, or names no tool, is an answer as it stands. */
export function replyOf(text: string, tools: readonly AgentTool[]): string | Call {
  const { call, arguments: args, say } = objectIn(text) ?? {}
  if (typeof call === 'string' && tools.some(({ name }) => name === call)) {
    return { name: call, arguments: typeof args === 'object' && !Array.isArray(args) ? { ...args } : {} }
  }
  if (typeof say === 'string') return say
  return text.trim() === '' ? 'The model said nothing.' : text.trim()
}
