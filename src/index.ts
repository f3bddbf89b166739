// "intab": what a tab needs.

export { type AgentCallOptions, type AgentTool, type AgentTools, agentTools } from './client/agent-tools.js'
export type { ConnectedClient } from './protocol/connected-client.js'
export { listQuestions, type Question, takeQuestion } from './client/questions.js'
export {
  describeTask,
  type TaskAttempt,
  type TaskDetails,
  type TaskMessage,
  type TaskStep
} from './client/describe-task.js'
export type { TaskInfo } from './client/task-info.js'
export { followTask, type FollowTaskOptions, runTask, type RunTaskOptions, TaskRun } from './client/task-run.js'
export { deleteTask, forget, listTasks, type ListTasksOptions } from './client/tasks.js'
export { type TaskListener, watchTasks } from './client/updates.js'
export { IntabError } from './errors.js'
export type { IntabCode } from './errors.js'
export type { ExtendedWorkerOptions, WorkerFactory } from './link/make-worker.js'
export { type LinkState, WorkerTransport, type WorkerTransportOptions } from './link/worker-transport.js'
