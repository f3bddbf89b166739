import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { callFor, closing, tool } from '../shared/script.js'
import { showPage } from '../shared/page.js'
import { connect } from './adapter.js'

class ScriptedModel extends BaseChatModel {
  override bindTools(): this {
    return this
  }

  _llmType(): string {
    return 'script'
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const last = messages.at(-1)
    const message =
      last?.type === 'tool'
        ? new AIMessage(closing(last.text))
        : new AIMessage({
            content: '',
            tool_calls: [{ name: tool, args: callFor(last?.text ?? ''), id: crypto.randomUUID(), type: 'tool_call' }]
          })
    return { generations: [{ text: message.text, message }] }
  }
}

await showPage(await connect(new ScriptedModel({})))
