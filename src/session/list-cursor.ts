// A cursor names a place in the owner's order, not a row: it survives the deletion of what it pointed at.

import { invalidParams } from '../errors.js'

const version = 'v1'

export const encodeCursor = (after: number): string => btoa(`${version}:${after}`)

/** Throws -32602 for anything that encodeCursor did not make. */
export function decodeCursor(cursor: string): number {
  let text: string
  try {
    text = atob(cursor)
  } catch {
    text = ''
  }
  const after = /^v1:(\d{1,15})$/.exec(text)?.[1]
  if (after === undefined) throw invalidParams(`Invalid cursor: ${cursor}`)
  return Number(after)
}
