// "intab/stores": the SDK's TaskStore and TaskMessageQueue in IndexedDB, and task tools on a server of one's own.

export type { StoreOptions } from './storage/sdk-database.js'
export type { SdkTaskPage } from './storage/sdk-list-tasks.js'
export { IndexedDbTaskMessageQueue } from './storage/sdk-message-queue.js'
export { IndexedDbTaskStore } from './storage/sdk-task-store.js'
export { registerTaskTool, type TaskToolStores } from './sdk/register-task-tool.js'
export { IntabError } from './errors.js'
export type { IntabCode } from './errors.js'
