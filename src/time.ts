// The two clocks. What is stored are moments of the wall clock; a duration is counted by a clock that nobody can set.

/**
 * The longest sleep of a timer, in ms: timers stand still while a machine is suspended, the wall clock does not. It also
 * keeps delays within the 31 bits of https://developer.mozilla.org/docs/Web/API/Window/setTimeout#maximum_delay_value
 */
const longest = 30_000

/** True for milliseconds that a task can be kept, or somebody can wait. */
export const isDuration = (ms: number): boolean => Number.isFinite(ms) && ms >= 0

/** Milliseconds of a clock that is never set: only differences mean anything. */
export const elapsed = (): number => performance.now()

interface Moment {
  /** Wall-clock time in ms. */
  time?: number
  /** Milliseconds from now. */
  ms?: number
}

/** The timers that run, each as the way to look at the clocks again. */
const running = new Set<() => void>()
let hears = false

/** `advanceClock` of intab/testing fires `intab:clock` when it has moved the clocks. */
function hear(): void {
  if (hears) return
  hears = true
  const scope: Partial<EventTarget> = globalThis
  // One listener for all timers: a browser compares each that is added or removed with all that are there.
  scope.addEventListener?.('intab:clock', () => {
    for (const look of running) look()
  })
}

/** Calls back when the time has come or the duration is over, whichever is first; returns the way to stop. */
function when({ time = Infinity, ms = Infinity }: Moment, act: () => void): () => void {
  let rest = ms
  let last = elapsed()
  let timer: ReturnType<typeof setTimeout>
  const onmoved = (): void => look(0)
  const stop = (): void => {
    clearTimeout(timer)
    running.delete(onmoved)
  }
  const sleep = (): void => {
    const step = Math.min(Math.max(0, Math.min(time - Date.now(), rest)), longest)
    timer = setTimeout(look, step, step)
  }
  const look = (slept: number): void => {
    clearTimeout(timer)
    const now = elapsed()
    rest -= Math.max(slept, now - last)
    last = now
    if (rest > 0 && time > Date.now()) return sleep()
    stop()
    act()
  }
  hear()
  running.add(onmoved)
  sleep()
  return stop
}

/** Calls back at a wall-clock time, however far, also when the clock is set or the machine was suspended. */
export const at = (time: number, act: () => void): (() => void) => when({ time }, act)

/** Calls back after a duration, wherever the wall clock is set meanwhile. */
export const after = (ms: number, act: () => void): (() => void) => when({ ms }, act)

function passed(moment: Moment, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onabort = (): void => {
      stop()
      reject(signal.reason)
    }
    const stop = when(moment, () => {
      signal.removeEventListener('abort', onabort)
      resolve()
    })
    signal.addEventListener('abort', onabort, { once: true })
  })
}

/** Resolves at a wall-clock time, and after `atMost` ms in any case; rejects with the signal's reason when it aborts first. */
export const until = (time: number, signal: AbortSignal, atMost = Infinity): Promise<void> =>
  passed({ time, ms: atMost }, signal)

/** Resolves after a duration; rejects with the signal's reason when it aborts first. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> => passed({ ms }, signal)

/** Milliseconds before the next try, after so many in vain: 100, 200, 400 and so on up to 10 s. */
export const backOff = (tries: number): number => Math.min(100 * 2 ** (tries - 1), 10_000)
