import { expect, test } from 'vitest'
import * as tool from 'intab/tool'
import * as worker from 'intab/worker'
import * as z from 'zod'

test('a tool of intab/tool is one of intab/worker, and its file needs no worker', async () => {
  expect(worker.taskTool).toBe(tool.taskTool)
  expect(worker.IntabError).toBe(tool.IntabError)
  expect(worker.RpcError).toBe(tool.RpcError)
  const greet = tool.taskTool('greet', { inputSchema: { name: z.string() }, taskSupport: 'optional' }, ({ name }) => ({
    content: [{ type: 'text', text: `Hello ${name}` }]
  }))
  // The handler does not look at its task.
  const result = await greet.run({ name: 'Ann' }, {} as tool.TaskContext)
  expect(result).toEqual({ content: [{ type: 'text', text: 'Hello Ann' }] })
})
