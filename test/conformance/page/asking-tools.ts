// Tools that ask the client: tasks of intab that a plain call can run, too.

import type { FormParams, TaskTool } from 'intab/worker'
import { taskTool } from 'intab/worker'
import * as z from 'zod'
import { text } from './samples.js'

type Schema = FormParams['requestedSchema']

function asking(name: string, description: string, requestedSchema: Schema): TaskTool {
  return taskTool(name, { description, inputSchema: {}, taskSupport: 'optional' }, async (_, task) => {
    const { action, content } = await task.elicit({ message: 'Please fill in the form', requestedSchema })
    return { content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`)] }
  })
}

const titled = (values: [string, string][]) => values.map(([value, title]) => ({ const: value, title }))
const options = ['option1', 'option2', 'option3']

export const askingTools: TaskTool[] = [
  taskTool(
    'test_sampling',
    {
      description: 'Asks the model of the client',
      inputSchema: { prompt: z.string() },
      taskSupport: 'optional'
    },
    async ({ prompt }, task) => {
      const { content } = await task.createMessage({
        messages: [{ role: 'user', content: text(prompt) }],
        maxTokens: 100
      })
      const [first] = Array.isArray(content) ? content : [content]
      return { content: [text(`LLM response: ${first?.type === 'text' ? first.text : ''}`)] }
    }
  ),
  taskTool(
    'test_elicitation',
    {
      description: 'Asks the person at the client',
      inputSchema: { message: z.string() },
      taskSupport: 'optional'
    },
    async ({ message }, task) => {
      const { action, content } = await task.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: {
            username: { type: 'string', description: "User's response" },
            email: { type: 'string', description: "User's email address" }
          },
          required: ['username', 'email']
        }
      })
      return { content: [text(`User response: action: ${action}, content: ${JSON.stringify(content ?? {})}`)] }
    }
  ),
  asking('test_elicitation_sep1034_defaults', 'Asks with defaults', {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'User name', default: 'John Doe' },
      age: { type: 'integer', description: 'User age', default: 30 },
      score: { type: 'number', description: 'User score', default: 95.5 },
      status: {
        type: 'string',
        description: 'User status',
        enum: ['active', 'inactive', 'pending'],
        default: 'active'
      },
      verified: { type: 'boolean', description: 'Verification status', default: true }
    },
    required: []
  }),
  asking('test_elicitation_sep1330_enums', 'Asks with every kind of choice', {
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: {
        type: 'string',
        oneOf: titled([
          ['value1', 'First Option'],
          ['value2', 'Second Option'],
          ['value3', 'Third Option']
        ])
      },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three']
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: {
        type: 'array',
        items: {
          anyOf: titled([
            ['value1', 'First Choice'],
            ['value2', 'Second Choice'],
            ['value3', 'Third Choice']
          ])
        }
      }
    },
    required: []
  })
]
