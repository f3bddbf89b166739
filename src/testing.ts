// "intab/testing": Playwright tests of an app whose MCP server is intab's. Runs in Node.

export { advanceClock } from './testing/advance-clock.js'
export { connectToPage, type ConnectOptions } from './testing/connect-to-page.js'
export { type Mcp, mcp } from './testing/fixture.js'
export { importTasks, type ImportTasksOptions } from './testing/import-tasks.js'
export type { WorkerAddress } from './testing/page-agent.js'
export { freezeTab, hideTab } from './testing/page-life.js'
export { PageTransport, type PageTransportOptions } from './testing/page-transport.js'
export type { SharedWorkerInfo, WorkerLine } from './testing/shared-workers.js'
export {
  deleteStorage,
  failStorage,
  type FailStorageOptions,
  stallStorage,
  type StorageErrorName,
  type StorageOptions
} from './testing/storage-faults.js'
export { type KillWorkerOptions, killWorker, onWorkerConsole, workers } from './testing/workers.js'
