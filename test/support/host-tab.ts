// A tab whose client answers questions by tasks of its own.

import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import {
  type ClientCapabilities,
  CreateMessageRequestSchema,
  ElicitRequestSchema
} from '@modelcontextprotocol/sdk/types.js'
import { expect } from 'vitest'
import { text, toolOf } from './tools.js'
import type { Tab, World } from './world.js'

export const form = { message: 'Sure?', requestedSchema: { type: 'object' as const, properties: {} } }
export const sampling = { messages: [], maxTokens: 5 }
export const declined = { action: 'decline' as const }
const said = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'Hello' } }
export const hosting: ClientCapabilities = {
  elicitation: { form: {} },
  sampling: {},
  tasks: { list: {}, cancel: {}, requests: { elicitation: { create: {} }, sampling: { createMessage: {} } } }
}

export const tools = [
  toolOf('elicits', async (_, task) => text((await task.elicit(form, { task: { ttl: 30_000 } })).action)),
  toolOf('samples', async (_, task) => {
    const { content } = await task.createMessage(sampling, { task: { ttl: 30_000 } })
    return text(content.type === 'text' ? content.text : '')
  })
]

interface Host extends Tab {
  store: InMemoryTaskStore
}

const failed = (error: unknown): void => expect.fail(String(error))

/** A tab whose client makes a task of every question, and ends it when told. */
export async function hostTab(world: World, end: Promise<unknown> = Promise.resolve()): Promise<Host> {
  const store = new InMemoryTaskStore()
  const tab = await world.tab({ capabilities: hosting, client: { taskStore: store } })
  const host = async (
    result: Record<string, unknown>,
    extra: { taskRequestedTtl?: number | null | undefined; taskStore?: unknown }
  ) => {
    const requests = extra.taskStore as Pick<InMemoryTaskStore, 'storeTaskResult'> & {
      createTask(asked: { ttl?: number | null }): Promise<{ taskId: string }>
    }
    const task = await requests.createTask({ ttl: extra.taskRequestedTtl ?? null })
    const finish = async (): Promise<void> => {
      await end
      if ((await store.getTask(task.taskId))?.status === 'working')
        await store.storeTaskResult(task.taskId, 'completed', result)
    }
    finish().catch(failed)
    return { task } as never
  }
  tab.client.setRequestHandler(ElicitRequestSchema, (_, extra) => host(declined, extra))
  tab.client.setRequestHandler(CreateMessageRequestSchema, (_, extra) => host(said, extra))
  return Object.assign(tab, { store })
}
