// The tab's functions on a connection of MCP 2026-07-28; nothing of it is loaded for another.

export { tellProgress } from './progress.js'
export { answerFor, callEither, modernTasks } from './tasks.js'
export { watchAll, watchTools } from './watch.js'
