// Tools that the tests call.

import * as z from 'zod'
import { taskTool, type TaskTool } from '../../src/tool/tool.js'
import type { TaskContext } from '../../src/tasks/task-context.js'

export const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

export const confirmDelete = taskTool(
  'confirm_delete',
  {
    description: 'Asks before deleting',
    inputSchema: { filename: z.string() },
    taskSupport: 'required',
    pollInterval: 60_000
  },
  async ({ filename }, task) => {
    const answer = await task.elicit({
      message: `Delete ${filename}?`,
      requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] }
    })
    return text(answer.action === 'accept' && answer.content?.confirm ? `Deleted ${filename}` : 'Kept')
  }
)

export const writeHaiku = taskTool(
  'write_haiku',
  { description: 'Asks the model', inputSchema: { topic: z.string() }, taskSupport: 'required', pollInterval: 60_000 },
  async ({ topic }, task) => {
    const message = await task.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: `A haiku about ${topic}` } }],
      maxTokens: 50
    })
    return text(message.content.type === 'text' ? message.content.text : '')
  }
)

/** A tool whose handler the test writes. */
export const toolOf = (
  name: string,
  handler: (
    args: Record<string, unknown>,
    task: TaskContext
  ) => Promise<ReturnType<typeof text>> | ReturnType<typeof text>,
  config: Partial<Parameters<typeof taskTool>[1]> = {}
): TaskTool => taskTool(name, { inputSchema: z.looseObject({}), taskSupport: 'optional', ...config }, handler)

/** A promise that the test settles. */
export function gate<T = void>(): { opened: Promise<T>; open(value: T): void; fail(error: unknown): void } {
  let open!: (value: T) => void
  let fail!: (error: unknown) => void
  const opened = new Promise<T>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { opened, open, fail }
}
