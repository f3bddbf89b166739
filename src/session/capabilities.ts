import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import type { Capability } from '../types.js'

/** What a client can answer. An empty `elicitation` means forms: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#capabilities */
export function capabilitiesOf(declared: ClientCapabilities | undefined): Capability[] {
  const { elicitation, sampling, tasks, roots } = declared ?? {}
  const can: Capability[] = []
  if (elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)) {
    can.push('elicitation.form')
  }
  if (elicitation?.url !== undefined) can.push('elicitation.url')
  if (sampling !== undefined) can.push('sampling')
  if (sampling?.tools !== undefined) can.push('sampling.tools')
  if (tasks?.requests?.elicitation?.create !== undefined) can.push('tasks.elicitation')
  if (tasks?.requests?.sampling?.createMessage !== undefined) can.push('tasks.sampling')
  if (roots !== undefined) can.push('roots')
  return can
}
