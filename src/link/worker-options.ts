// A SharedWorker option that the compiler's library does not know yet.

declare global {
  interface WorkerOptions {
    /**
     * The worker lives on for a while after its last tab is gone, so that a reload of the only tab finds it alive.
     * Chromium 148 and later; others ignore it. All tabs must give the same value.
     * https://developer.mozilla.org/docs/Web/API/SharedWorker/SharedWorker
     */
    extendedLifetime?: boolean
  }
}

export type ExtendedWorkerOptions = WorkerOptions
