// Checks the arguments that a handler passes to its task.

import { IntabError } from '../errors.js'
import { patternProblem } from '../patterns.js'
import type { Json, Progress } from '../types.js'

const refused = (advice: string): IntabError => new IntabError('invalid_options', advice)

export function checkStatus(message: unknown): void {
  if (typeof message !== 'string') throw refused(`task.status takes a string (got ${typeof message})`)
}

/** What a client can read: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress */
export function checkProgress({ progress, total, message }: Progress): void {
  const isNumber = Number.isFinite(progress) && (total === undefined || Number.isFinite(total))
  if (isNumber && (message === undefined || typeof message === 'string')) return
  throw refused('task.progress takes { progress: number, total?: number, message?: string }')
}

export function checkSleep(ms: number): void {
  if (!Number.isFinite(ms)) throw refused(`task.sleep takes a finite number of milliseconds (got ${String(ms)})`)
}

/** A form that no answer could fit is not asked. */
export function checkQuestion(kind: string, { requestedSchema }: { requestedSchema?: unknown }): void {
  const problem = patternProblem(requestedSchema as Json | undefined, 'requestedSchema')
  if (problem !== undefined) throw refused(`${kind}: ${problem}`)
}

export function checkTimeout(kind: string, timeout: number | undefined): void {
  if (timeout !== undefined && !(timeout > 0)) {
    throw refused(`${kind}: timeout must be a positive number of milliseconds (got ${String(timeout)})`)
  }
}
