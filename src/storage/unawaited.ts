import { toError } from '../errors.js'

const reasons = new WeakMap<object, Error>()

/**
 * For a request that only writes: its failure aborts the transaction, whose end tells the caller, and to wait for its
 * success would cost a round trip to the browser's process before the commit.
 */
export function unawaited(tx: object, request: Promise<unknown>): void {
  request.catch((error: unknown) => {
    if (!reasons.has(tx)) reasons.set(tx, toError(error))
  })
}

/** Why a transaction ended; when a request of it fails, the browser does not yet say it at the transaction itself. */
export const reasonOf = (tx: object): Error | undefined => reasons.get(tx)
