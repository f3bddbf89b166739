// Clients of both revisions, over whatever transport the place has.
import { Client as ClientOf2026 } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { ConnectedClient } from '../../src/index.js'
import { MODERN } from '../../src/modern/keys.js'

export const eras = ['2025-11-25', MODERN] as const
export type Era = (typeof eras)[number]

/** How a person answers a question. */
export type Answer = (message: string) => { action: 'accept'; content: { confirm: boolean } } | Promise<never>

export const accept: Answer = () => ({ action: 'accept', content: { confirm: true } })
/** Shows a question and never answers. */
export const leaveOpen: Answer = () => new Promise(() => undefined)

type Transport = Parameters<Client['connect']>[0] & Parameters<ClientOf2026['connect']>[0]
type Closable = ConnectedClient & { close(): Promise<void> }

const info = { name: 'test', version: '1.0.0' }
const capabilities = { elicitation: { form: {} } }

export async function connectClient(era: Era, transport: object, answer: Answer): Promise<Closable> {
  if (era === MODERN) {
    const client = new ClientOf2026(info, { capabilities, versionNegotiation: { mode: { pin: MODERN } } })
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message))
    await client.connect(transport as Transport)
    return client
  }
  const client = new Client(info, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message))
  await client.connect(transport as Transport)
  return client
}
