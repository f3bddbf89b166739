// Comlink hands on the name, message and stack of an error, no more; so errors travel as plain data.

import { IntabError, RpcError, toErrorObject } from '../errors.js'
import type { IntabCode } from '../errors.js'
import type { Json } from '../types.js'

export interface WireError {
  code: number | string
  message: string
  data?: Json
}

/** Data that cannot be cloned is left out: it must not hide the error that it explains. */
function clonable(data: Json | undefined): { data?: Json } {
  if (data === undefined) return {}
  try {
    return { data: structuredClone(data) }
  } catch (error) {
    return { data: String(error) }
  }
}

export function toWireError(thrown: unknown): WireError {
  const error = thrown instanceof IntabError ? thrown : toErrorObject(thrown)
  return { code: error.code, message: error.message, ...clonable(error.data) }
}

export function fromWireError({ code, message, data }: WireError): IntabError | RpcError {
  return typeof code === 'string' ? new IntabError(code as IntabCode, message, data) : new RpcError(code, message, data)
}
