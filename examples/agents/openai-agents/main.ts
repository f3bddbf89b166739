import { type Model, type ModelRequest, type ModelResponse, setTracingDisabled, Usage } from '@openai/agents'
import { callFor, closing, tool } from '../shared/script.js'
import { showPage } from '../shared/page.js'
import { connect } from './adapter.js'

setTracingDisabled(true)

function next({ input }: ModelRequest): ModelResponse['output'] {
  const last = typeof input === 'string' ? input : input.at(-1)
  if (typeof last === 'object' && last.type === 'function_call_result') {
    const text = closing(last.output)
    return [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }]
  }
  const args = JSON.stringify(callFor(JSON.stringify(last)))
  return [{ type: 'function_call', callId: crypto.randomUUID(), name: tool, arguments: args, status: 'completed' }]
}

const model: Model = {
  getResponse: async (request) => ({ usage: new Usage(), output: next(request) }),
  async *getStreamedResponse() {
    yield* []
    throw new Error('This example does not stream')
  }
}

await showPage(await connect(model))
