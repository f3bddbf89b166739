/**
 * For a request that only writes: its failure aborts the transaction, whose end tells why, and to wait for its success
 * would cost a round trip to the browser's process before the commit.
 */
export function unawaited(request: Promise<unknown>): void {
  request.catch(() => undefined)
}
