// Who decides what the agent does next.

import type { AgentTool } from 'intab'
import type { Call, Message, ToolMessage } from './conversations.js'

export interface Model {
  /** What a person calls it. */
  readonly label: string
  /** The agent's answer, or the call that it needs first. */
  next(messages: readonly Message[], tools: readonly AgentTool[], signal: AbortSignal): Promise<string | Call>
}

/** A result as a model reads it. */
export const textOf = ({ result }: ToolMessage): string =>
  (result?.content ?? []).map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n')
