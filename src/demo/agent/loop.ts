// The loop of an agent: the model names a tool, the tool's result goes back to the model, until the model answers.
// Each step is stored before the next begins, so another tab can go on wherever this one was closed.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { AgentTools, TaskInfo } from 'intab'
import type { Conversation, ToolMessage } from './conversations.js'
import type { Model } from './model.js'

export interface Turn {
  conversation: Conversation
  model: Model
  tools: AgentTools
  /** Stores the conversation and shows it. */
  keep(): Promise<void>
  /** Shows the newest state of a call's task. */
  onstatus(message: ToolMessage, task: TaskInfo): void
  signal: AbortSignal
}

/** A model that calls tools for ever is stopped. */
const mostCalls = 10

/** Goes on until the agent has answered the person; rejects when the model or the connection fails, and may be called again. */
export async function goOn(turn: Turn): Promise<void> {
  const { conversation, model, tools, keep, signal } = turn
  const { messages } = conversation
  let asked: ToolMessage | undefined
  for (;;) {
    const last = messages.at(-1)
    if (last === undefined || last.role === 'agent') return
    try {
      if (last.role === 'tool' && last.result === undefined) {
        last.result = await run(turn, last, last === asked)
      } else {
        const calls = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1).length
        const reply =
          calls < mostCalls ? await model.next(messages, await tools.list(), signal) : 'Too many calls: I stop.'
        if (typeof reply === 'string') messages.push({ role: 'agent', text: reply })
        else messages.push((asked = { role: 'tool', call: reply, key: crypto.randomUUID() }))
      }
    } catch (error) {
      if (!signal.aborted) throw error
      if (last.role === 'tool') last.result ??= failure('The user stopped this call')
      messages.push({ role: 'agent', text: 'Stopped.' })
    }
    await keep()
  }
}

async function run(turn: Turn, message: ToolMessage, isNew: boolean): Promise<CallToolResult> {
  const { tools, keep, signal } = turn
  const { call, key, taskId } = message
  let kept: Promise<void> | undefined
  const onstatus = (task: TaskInfo): void => {
    if (message.taskId === undefined) {
      message.taskId = task.taskId
      kept = keep()
      // Awaited below; until then the call goes on.
      kept.catch(() => undefined)
    }
    turn.onstatus(message, task)
  }
  const options = { signal, onstatus }
  try {
    return await (taskId === undefined
      ? tools.call(call.name, call.arguments, { ...options, key, retry: !isNew })
      : tools.resume(taskId, options))
  } catch (error) {
    if (signal.aborted || !isFromServer(error)) throw error
    return failure(error.message)
  } finally {
    await kept
  }
}

/** Closed, superseded, worker gone: these say nothing of the call, which is found again by its key. */
const ofTheConnection = [-32000, -31031, -31032]

const isFromServer = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && !ofTheConnection.includes(error.code)

const failure = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })
