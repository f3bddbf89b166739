// The browser's own language model, where there is one: https://developer.mozilla.org/docs/Web/API/LanguageModel

export interface Turn {
  role: 'system' | 'user' | 'assistant'
  content: string
}

interface LanguageModelSession {
  prompt(input: Turn[], options: { signal: AbortSignal; responseConstraint?: object }): Promise<string>
  destroy(): void
}

interface Expected {
  expectedOutputs: { type: 'text'; languages: string[] }[]
}

interface LanguageModelApi {
  availability(options: Expected): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>
  create(options: Expected & { initialPrompts: Turn[]; signal: AbortSignal }): Promise<LanguageModelSession>
}

/** A model must be told what it is to write in. */
const expected: Expected = { expectedOutputs: [{ type: 'text', languages: ['en'] }] }

const api = (): LanguageModelApi | undefined => (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel

/** True where there is a model that can be asked, maybe after a download. */
export async function hasModel(): Promise<boolean> {
  const availability = await api()?.availability(expected)
  return availability !== undefined && availability !== 'unavailable'
}

/** Asks the browser's model to go on with a conversation, in JSON of the schema if there is one. */
export async function askBrowser(turns: readonly Turn[], signal: AbortSignal, schema?: object): Promise<string> {
  const session = await api()?.create({
    ...expected,
    initialPrompts: turns.filter(({ role }) => role === 'system'),
    signal
  })
  if (session === undefined) throw new Error('This browser has no language model')
  try {
    return await session.prompt(
      turns.filter(({ role }) => role !== 'system'),
      { signal, ...(schema && { responseConstraint: schema }) }
    )
  } finally {
    session.destroy()
  }
}
