// What the scenarios of MCP 2026-07-28 and of its tasks extension call.

import type { TaskContext, TaskTool } from 'intab/worker'
import { RpcError, taskTool } from 'intab/worker'
import * as z from 'zod'
import { pause, text } from './samples.js'

const form = (name: string) => ({
  message: `What is your ${name}?`,
  requestedSchema: { type: 'object' as const, properties: { name: { type: 'string' as const } } }
})
const prompt = (question: string) => ({
  messages: [{ role: 'user' as const, content: text(question) }],
  maxTokens: 100
})
const said = (value: unknown) => ({ content: [text(typeof value === 'string' ? value : JSON.stringify(value))] })

const optional = (name: string, run: (task: TaskContext) => Promise<ReturnType<typeof said>>): TaskTool =>
  taskTool(name, { description: name, inputSchema: {}, taskSupport: 'optional' }, (_, task) => run(task))

const asked = async (task: TaskContext, key: string): Promise<string> => {
  const { action, content } = await task.elicit(form(key), { key })
  return action === 'accept' ? JSON.stringify(content) : action
}

/** Tools that ask in rounds. */
const roundTools: TaskTool[] = [
  optional('test_input_required_result_elicitation', async (task) => said(`Hello, ${await asked(task, 'user_name')}!`)),
  optional('test_input_required_result_sampling', async (task) =>
    said((await task.createMessage(prompt('What is the capital of France?'), { key: 'capital_question' })).content)
  ),
  optional('test_input_required_result_list_roots', async (task) =>
    said((await task.listRoots({ key: 'client_roots' })).roots)
  ),
  optional('test_input_required_result_request_state', async (task) =>
    said(`state-ok ${await asked(task, 'confirm')}`)
  ),
  optional('test_input_required_result_multiple_inputs', async (task) =>
    said(
      await Promise.all([
        asked(task, 'user_name'),
        task.createMessage(prompt('Greet'), { key: 'greeting' }),
        task.listRoots({ key: 'client_roots' })
      ])
    )
  ),
  optional('test_input_required_result_multi_round', async (task) =>
    said(`${await asked(task, 'step1')} ${await asked(task, 'step2')}`)
  ),
  optional('test_input_required_result_tampered_state', async (task) => said(await asked(task, 'confirm'))),
  optional('test_input_required_result_capabilities', async (task) =>
    said(await Promise.allSettled([asked(task, 'user_name'), task.createMessage(prompt('Greet'), { key: 'greeting' })]))
  ),
  optional('test_missing_capability', async (task) => said((await task.createMessage(prompt('?'))).content)),
  optional('test_streaming_elicitation', async (task) => {
    task.progress({ progress: 1, total: 2 })
    return said(await asked(task, 'user_name'))
  })
]

/** Tools of the tasks extension's scenarios. */
const taskTools: TaskTool[] = [
  taskTool(
    'slow_compute',
    {
      description: 'Sleeps',
      inputSchema: { seconds: z.number().optional(), label: z.string().optional() },
      taskSupport: 'optional'
    },
    async ({ seconds = 0, label = '' }, task) => {
      await task.sleep(seconds * 1000)
      return said(`Computed ${label}`)
    }
  ),
  taskTool('failing_job', { description: 'Fails', inputSchema: {}, taskSupport: 'required' }, async () => {
    await pause(200)
    return { ...said('The job failed'), isError: true }
  }),
  taskTool(
    'protocol_error_job',
    { description: 'Ends with an error of the protocol', inputSchema: {}, taskSupport: 'optional' },
    () => {
      throw new RpcError(-32603, 'The job crashed')
    }
  ),
  optional('multi_input', async (task) => said(await Promise.all([asked(task, 'first'), asked(task, 'second')]))),
  taskTool(
    'test_tool_with_task',
    { description: 'Asks before it is a task', inputSchema: {}, taskSupport: 'required', asksFirst: true },
    async (_, task) => {
      const name = await asked(task, 'user_name')
      await pause(100)
      return said(`Hello, ${name}!`)
    }
  )
]

export const modernTools: TaskTool[] = [...roundTools, ...taskTools]
