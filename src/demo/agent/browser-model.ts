// The browser's own model as an agent's: it is held to one JSON object, an answer or a call.
// https://developer.mozilla.org/docs/Web/API/Prompt_API

import type { AgentTool } from 'intab'
import { askBrowser, type Turn } from '../questions/language-model.js'
import type { Message } from './conversations.js'
import { type Model, textOf } from './model.js'

const constraint = {
  anyOf: [
    { type: 'object', properties: { say: { type: 'string' } }, required: ['say'], additionalProperties: false },
    {
      type: 'object',
      properties: { call: { type: 'string' }, arguments: { type: 'object' } },
      required: ['call', 'arguments'],
      additionalProperties: false
    }
  ]
}

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

export const browserModel: Model = {
  label: "This browser's model",
  async next(messages, tools, signal) {
    const turns: Turn[] = [{ role: 'system', content: instruct(tools) }, ...messages.map(asTurn)]
    const reply = await askBrowser(turns, signal, constraint)
    const { say, call, arguments: args } = JSON.parse(reply) as { say?: string; call?: string; arguments?: object }
    return call === undefined ? (say ?? reply) : { name: call, arguments: { ...args } }
  }
}
