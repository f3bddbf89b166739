import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Content } from '@ai-sdk/provider'
import { callFor, closing, tool } from '../shared/script.js'
import { showPage } from '../shared/page.js'
import { connect } from './adapter.js'

function next({ prompt }: LanguageModelV4CallOptions): LanguageModelV4Content {
  const last = prompt.at(-1)
  if (last?.role === 'tool') return { type: 'text', text: closing(last.content) }
  return {
    type: 'tool-call',
    toolCallId: crypto.randomUUID(),
    toolName: tool,
    input: JSON.stringify(callFor(JSON.stringify(last?.content)))
  }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 }
}
const finish = (content: LanguageModelV4Content) => {
  const unified = content.type === 'tool-call' ? ('tool-calls' as const) : ('stop' as const)
  return { finishReason: { unified, raw: unified }, usage }
}

const model: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'script',
  modelId: 'script',
  supportedUrls: {},
  async doGenerate(options) {
    const content = next(options)
    return { content: [content], ...finish(content), warnings: [] }
  },
  async doStream(options) {
    const content = next(options)
    const stream: Awaited<ReturnType<LanguageModelV4['doStream']>>['stream'] = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] })
        if (content.type === 'tool-call') controller.enqueue(content)
        if (content.type === 'text') {
          controller.enqueue({ type: 'text-start', id: '1' })
          controller.enqueue({ type: 'text-delta', id: '1', delta: content.text })
          controller.enqueue({ type: 'text-end', id: '1' })
        }
        controller.enqueue({ type: 'finish', ...finish(content) })
        controller.close()
      }
    })
    return { stream }
  }
}

await showPage(await connect(model))
