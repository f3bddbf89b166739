// "intab/worker": what a worker needs.

export { type Server, serve } from './session/serve.js'
export type { ServeOptions, SessionInfo } from './session/options.js'
export { type TaskTool, type TaskToolConfig, taskTool } from './tool/tool.js'
export type {
  AskOptions,
  FormParams,
  SamplingParams,
  SamplingResult,
  TaskContext,
  UrlParams
} from './tasks/task-context.js'
export { restartOnEdit } from './link/restart-on-edit.js'
export { IntabError, RpcError } from './errors.js'
export type { IntabCode } from './errors.js'
export type { IntabEvent, Limits, Progress, TaskRecord } from './types.js'
