import { taskTool } from 'intab/worker'
import * as z from 'zod'

export const writeHaiku = taskTool(
  'write_haiku',
  {
    title: 'Write a haiku',
    description: "Asks the client's model for a haiku",
    inputSchema: { topic: z.string() },
    taskSupport: 'required'
  },
  async ({ topic }, task) => {
    const { content } = await task.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: `Write a haiku about ${topic}.` } }],
      maxTokens: 100
    })
    const blocks = Array.isArray(content) ? content : [content]
    const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
    return { content: [{ type: 'text', text }] }
  }
)
