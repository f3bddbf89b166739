// "intab/vite": a plugin for Vite that makes bundles smaller and swaps an edited worker during development.

import type { Plugin } from 'vite'
import { leaveOut } from './vite/leave-out.js'
import { swapWorkers } from './vite/swap-workers.js'

/**
 * Add it to `vite.config.ts`: `plugins: [intab()]`. Needs Vite 6 or later.
 *
 * - In a build it puts the SDK's validator that generates no code in Ajv's place (a strict Content-Security-Policy forbids
 *   Ajv's), and leaves out protocol schemas and zod 3 support that nobody uses: about half of the size of a worker with
 *   `setup`. Workers are built as modules (`worker.format: 'es'`) unless the config says otherwise.
 * - In development it replaces a running worker when its script, or a module that it imports, is edited, and bundles the
 *   worker's dependencies before the first request, so that Vite does not reload the page when it finds them.
 */
export function intab(): Plugin[] {
  return [leaveOut(), swapWorkers()]
}
