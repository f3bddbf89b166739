// "intab/postgres": the SDK's TaskStore and TaskMessageQueue in PostgreSQL, for a server of one's own.

export type { PostgresStoreOptions } from './postgres/sdk-tables.js'
export { PostgresTaskMessageQueue } from './postgres/sdk-message-queue.js'
export { PostgresTaskStore } from './postgres/sdk-task-store.js'
export { IntabError } from './errors.js'
export type { IntabCode } from './errors.js'
