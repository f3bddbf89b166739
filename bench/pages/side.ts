// How the page speaks to its worker beside the protocol: releases tasks, counts transactions, tells the time, ends the worker.

const gates = new Map<string, () => void>()
let transactions = 0
let longest = 0
let beat: number | undefined

/** The longest time since the last call that the worker's loop did not come round, in ms; the first call begins to watch. */
function longestTurn(): number {
  if (beat === undefined) {
    let before = (beat = performance.now())
    setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - before)
      before = now
    })
  }
  // A coarse clock may have seen nothing pass.
  const found = Math.max(longest, 1)
  longest = 0
  return found
}

/** Resolves when the page releases the task. */
export const released = (taskId: string): Promise<void> => new Promise((resolve) => gates.set(taskId, resolve))

function onmessage({ data, ports: [reply] }: MessageEvent<{ side?: string; taskId?: string }>): void {
  if (reply === undefined || typeof data !== 'object' || data === null) return
  if (data.side === 'release') gates.get(data.taskId ?? '')?.()
  if (data.side === 'release') gates.delete(data.taskId ?? '')
  if (data.side === 'close') close()
  const answers: Record<string, () => number> = { clock: () => performance.now(), longest: longestTurn }
  reply.postMessage(answers[data.side ?? '']?.() ?? transactions)
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
