/** The public names of each entry, types included. Whoever adds one writes it here, too. */
export const publicNames: Readonly<Record<string, readonly string[]>> = {
  'src/index.ts': [
    'IntabCode',
    'IntabError',
    'LinkState',
    'ListTasksOptions',
    'Question',
    'RunTaskOptions',
    'TaskInfo',
    'TaskRun',
    'WorkerFactory',
    'WorkerTransport',
    'WorkerTransportOptions',
    'deleteTask',
    'followTask',
    'forget',
    'listQuestions',
    'listTasks',
    'runTask',
    'takeQuestion'
  ],
  'src/worker.ts': [
    'AskOptions',
    'FormParams',
    'IntabCode',
    'IntabError',
    'IntabEvent',
    'Limits',
    'Progress',
    'RpcError',
    'SamplingParams',
    'SamplingResult',
    'ServeOptions',
    'Server',
    'SessionInfo',
    'TaskContext',
    'TaskRecord',
    'TaskTool',
    'TaskToolConfig',
    'UrlParams',
    'serve',
    'taskTool'
  ],
  'src/stores.ts': [
    'IndexedDbTaskMessageQueue',
    'IndexedDbTaskStore',
    'IntabCode',
    'IntabError',
    'SdkTaskPage',
    'StoreOptions'
  ],
  'src/testing.ts': []
}
