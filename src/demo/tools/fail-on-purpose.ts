import { RpcError, taskTool } from 'intab/worker'
import * as z from 'zod'

const ways = z.union([
  z.literal('result').meta({ title: 'Return a result that is an error' }),
  z.literal('throw').meta({ title: 'Throw in the handler' }),
  z.literal('protocol').meta({ title: 'Throw an error with a code and data' })
])

/** Shows what becomes of a failure: each ends the task `failed`, and its outcome is kept. */
export const failOnPurpose = taskTool(
  'fail_on_purpose',
  {
    title: 'Fail on purpose',
    description: 'Ends as failed, in the way that you choose; what it ended with is kept.',
    inputSchema: { how: ways.default('throw').meta({ title: 'How' }) },
    taskSupport: 'optional'
  },
  async ({ how }, task) => {
    await task.status('About to fail')
    if (how === 'protocol') throw new RpcError(-32042, 'Out of luck', { luck: 0 })
    if (how === 'throw') throw new Error('The handler threw this')
    return { isError: true, content: [{ type: 'text', text: 'The tool itself says that it failed' }] }
  }
)
