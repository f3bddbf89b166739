// "intab/tool": tools whose calls are tasks, for any server that can run them. Runs in a browser, a worker and Node.

export { type TaskTool, type TaskToolConfig, taskTool } from './tool/tool.js'
export type {
  AskOptions,
  FormParams,
  SamplingParams,
  SamplingResult,
  TaskContext,
  UrlParams
} from './tasks/task-context.js'
export { IntabError, RpcError } from './errors.js'
export type { IntabCode } from './errors.js'
export type { Progress } from './types.js'
