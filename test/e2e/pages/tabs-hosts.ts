// Everything that a server can run in, and everything that can be wrong with it. The bundler finds workers by their
// literals only: https://vite.dev/guide/features.html#web-workers

import type { WorkerFactory } from 'intab'
import { serveTabs } from './tabs-server.js'

let port: MessagePort | undefined

/** One server for the life of the page. */
function inPage(): MessagePort {
  if (port === undefined) {
    const { port1, port2 } = new MessageChannel()
    serveTabs({ scope: port2 })
    port = port1
  }
  return port
}

export const hosts = {
  shared: () => new SharedWorker(new URL('./tabs.worker.ts', import.meta.url), { type: 'module', name: 'tabs' }),
  worker: () => new Worker(new URL('./tabs.worker.ts', import.meta.url), { type: 'module' }),
  page: inPage,
  'other-options': () =>
    new SharedWorker(new URL('./tabs.worker.ts', import.meta.url), {
      type: 'module',
      name: 'tabs',
      credentials: 'omit'
    }),
  silent: () => new SharedWorker(new URL('./tabs-silent.worker.ts', import.meta.url), { type: 'module' }),
  throws: () => new SharedWorker(new URL('./tabs-throws.worker.ts', import.meta.url), { type: 'module' }),
  late: () => new SharedWorker(new URL('./tabs-late.worker.ts', import.meta.url), { type: 'module' }),
  'worker-late': () => new Worker(new URL('./tabs-late.worker.ts', import.meta.url), { type: 'module' }),
  page404: () => new SharedWorker('/test/e2e/pages/tabs.html', { type: 'module' }),
  unparsable: () => new SharedWorker('/tabs-unparsable.js', { type: 'module' }),
  classic: () => new SharedWorker('/tabs-module.js'),
  missing: () => new SharedWorker('/assets/missing.js', { type: 'module' }),
  forbidden: () => new SharedWorker(URL.createObjectURL(new Blob([''], { type: 'text/javascript' }))),
  'worker-throws': () => new Worker(new URL('./tabs-throws.worker.ts', import.meta.url), { type: 'module' }),
  'worker-missing': () => new Worker('/assets/missing.js', { type: 'module' })
} satisfies Record<string, WorkerFactory>
