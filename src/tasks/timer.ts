// setTimeout fires at once when its delay does not fit into 31 bits: https://developer.mozilla.org/docs/Web/API/Window/setTimeout#maximum_delay_value

const longest = 2 ** 31 - 1

/** True for milliseconds that a task can be kept, or somebody can wait. */
export const isDuration = (ms: number): boolean => Number.isFinite(ms) && ms >= 0

/** Calls back at a wall-clock time, however far; returns the way to stop. */
export function at(time: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const arm = (): void => {
    const left = time - Date.now()
    timer = left > longest ? setTimeout(arm, longest) : setTimeout(act, Math.max(0, left))
  }
  arm()
  return () => clearTimeout(timer)
}

/** Resolves at a wall-clock time; rejects with the signal's reason when it aborts first. */
export function until(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onabort = (): void => {
      stop()
      reject(signal.reason)
    }
    const stop = at(time, () => {
      signal.removeEventListener('abort', onabort)
      resolve()
    })
    signal.addEventListener('abort', onabort, { once: true })
  })
}
