import { capabilitiesOf as inEveryRevision, isObject } from '../modern/envelope.js'
import type { Capability } from '../types.js'

/** What a client can answer, and what of that as a task of its own. https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#capabilities */
export function capabilitiesOf(declared: unknown): Capability[] {
  if (!isObject(declared)) return []
  const can = inEveryRevision(declared)
  const { tasks } = declared
  const requests = isObject(tasks) && isObject(tasks.requests) ? tasks.requests : {}
  const { elicitation, sampling } = requests
  if (isObject(elicitation) && elicitation.create !== undefined) can.push('tasks.elicitation')
  if (isObject(sampling) && sampling.createMessage !== undefined) can.push('tasks.sampling')
  return can
}
