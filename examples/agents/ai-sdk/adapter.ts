import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp'
import { generateText, isStepCount, type LanguageModel, streamText } from 'ai'
import { WorkerTransport } from 'intab'
import { askUser, files, type Run } from '../shared/page.js'

export async function connect(model: LanguageModel): Promise<Record<string, Run>> {
  const client = await createMCPClient({
    transport: new WorkerTransport(files),
    capabilities: { elicitation: {} },
    // Its 2026-07-28 has no request open while the user thinks, and so nothing that a stop could cancel.
    protocolVersionDiscovery: false
  })
  client.onElicitationRequest(ElicitationRequestSchema, ({ params }) => askUser(params.message))
  const settings = { model, tools: await client.tools(), stopWhen: isStepCount(5) }
  return {
    Generate: async (prompt, abortSignal) => (await generateText({ ...settings, prompt, abortSignal })).text,
    Stream: async (prompt, abortSignal) => await streamText({ ...settings, prompt, abortSignal }).text
  }
}
