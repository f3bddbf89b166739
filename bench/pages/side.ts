// How the page speaks to its worker beside the protocol: releases tasks, counts transactions, tells the time, ends the worker.

const gates = new Map<string, () => void>()
let transactions = 0

/** Resolves when the page releases the task. */
export const released = (taskId: string): Promise<void> => new Promise((resolve) => gates.set(taskId, resolve))

function onmessage({ data, ports: [reply] }: MessageEvent<{ side?: string; taskId?: string }>): void {
  if (reply === undefined || typeof data !== 'object' || data === null) return
  if (data.side === 'release') gates.get(data.taskId ?? '')?.()
  if (data.side === 'release') gates.delete(data.taskId ?? '')
  if (data.side === 'close') close()
  reply.postMessage(data.side === 'clock' ? performance.now() : transactions)
}

export function openSide(): void {
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function count(...args) {
    transactions += 1
    return transaction.apply(this, args)
  }
  addEventListener('connect', (event) => {
    const [port] = (event as MessageEvent).ports
    port?.addEventListener('message', onmessage)
  })
}
