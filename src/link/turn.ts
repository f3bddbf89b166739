// A timer would do, were it not held up for a minute in a hidden page.

let channel: MessageChannel | undefined
let due: (() => void)[] = []

/** Calls back once, when all that this turn of the event loop began has run. */
export function afterTurn(act: () => void): void {
  if (due.push(act) > 1) return
  channel ??= open()
  channel.port2.postMessage(null)
}

/** Runs each; what one throws goes uncaught, as it would alone, and keeps none of the others from running. */
export function runAll(acts: readonly (() => void)[]): void {
  for (const act of acts) {
    try {
      act()
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

function open(): MessageChannel {
  const made = new MessageChannel()
  made.port1.onmessage = () => {
    const acts = due
    due = []
    runAll(acts)
  }
  // In Node an open port keeps the process alive.
  const { unref } = made.port1 as { unref?: () => void }
  unref?.call(made.port1)
  return made
}
