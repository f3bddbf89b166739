import { EventType, type Modality, type StreamChunk, type TextOptions } from '@tanstack/ai'
import { BaseTextAdapter } from '@tanstack/ai/adapters'
import { callFor, closing, tool } from '../shared/script.js'
import { showPage } from '../shared/page.js'
import { connect } from './adapter.js'

class ScriptedAdapter extends BaseTextAdapter<'script', Record<string, never>, readonly Modality[], never> {
  readonly name = 'script'

  async *chatStream({ messages }: TextOptions<Record<string, never>>): AsyncIterable<StreamChunk> {
    const last = messages.at(-1)
    const [threadId, runId, id] = ['thread', this.generateId(), this.generateId()]
    yield { type: EventType.RUN_STARTED, threadId, runId }
    if (last?.role === 'tool') {
      yield { type: EventType.TEXT_MESSAGE_START, messageId: id, role: 'assistant' }
      yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: id, delta: closing(last.content) }
      yield { type: EventType.TEXT_MESSAGE_END, messageId: id }
      yield { type: EventType.RUN_FINISHED, threadId, runId, finishReason: 'stop' }
      return
    }
    yield { type: EventType.TOOL_CALL_START, toolCallId: id, toolCallName: tool, toolName: tool }
    const delta = JSON.stringify(callFor(JSON.stringify(last?.content)))
    yield { type: EventType.TOOL_CALL_ARGS, toolCallId: id, delta }
    yield { type: EventType.TOOL_CALL_END, toolCallId: id }
    yield { type: EventType.RUN_FINISHED, threadId, runId, finishReason: 'tool_calls' }
  }

  async structuredOutput(): Promise<never> {
    throw new Error('This example has no structured output')
  }
}

await showPage(await connect(new ScriptedAdapter({}, 'script')))
