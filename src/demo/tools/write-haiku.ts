import { taskTool } from 'intab/worker'
import * as z from 'zod'

/** Shows sampling: the client's model writes, and a person may look before anything is sent. */
export const writeHaiku = taskTool(
  'write_haiku',
  {
    title: 'Write a haiku',
    description: "Asks the client's model for a haiku. Here you are the model, or look over the shoulder of one.",
    inputSchema: { topic: z.string().min(1).meta({ title: 'Topic' }) },
    taskSupport: 'required'
  },
  async ({ topic }, task) => {
    const { content } = await task.createMessage({
      systemPrompt: 'You write haiku: three lines of five, seven and five syllables.',
      messages: [{ role: 'user', content: { type: 'text', text: `Write a haiku about ${topic}.` } }],
      maxTokens: 100
    })
    const blocks = Array.isArray(content) ? content : [content]
    const text = blocks.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
    return { content: [{ type: 'text', text }] }
  }
)
