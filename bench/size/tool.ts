// A file of tools, for whatever server runs them.

import { taskTool } from 'intab/tool'
import * as z from 'zod'

const greet = taskTool(
  'greet',
  { description: 'Greets', inputSchema: { name: z.string() }, taskSupport: 'optional' },
  ({ name }) => ({ content: [{ type: 'text', text: `Hello ${name}` }] })
)

Object.assign(globalThis, { greet })
