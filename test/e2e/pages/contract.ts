// Runs the contract suites in a worker of this page.

import type { Report } from './vitest-in-page.js'

declare global {
  var report: Promise<Report>
}

globalThis.report = new Promise((resolve, reject) => {
  const worker = new Worker(new URL('./contract.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Report>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(message))
})
