// What the server asks of this tab: an elicitation is a form, and for a sampling request the person plays the model.

import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitResult
} from '@modelcontextprotocol/sdk/types.js'
import { ask } from './dialogs.js'
import { h, uniqueId } from './dom.js'
import type { JsonObject } from './json.js'
import { schemaForm } from './schema-form.js'

/** Shows the form of an elicitation. */
export function askForm(params: ElicitRequestFormParams, signal: AbortSignal): Promise<ElicitResult> {
  const fields = schemaForm(params.requestedSchema as JsonObject)
  return ask<ElicitResult>(
    {
      title: params.message,
      body: [fields.element],
      submit: {
        label: 'Submit',
        read: (form) => {
          fields.check()
          return form.reportValidity()
            ? { action: 'accept', content: fields.read() as NonNullable<ElicitResult['content']> }
            : undefined
        }
      },
      decline: { label: 'Decline', answer: { action: 'decline' } },
      dismissed: { action: 'cancel' }
    },
    signal
  )
}

const textOf = (content: CreateMessageRequest['params']['messages'][number]['content']): string =>
  [content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n')

/** Shows the conversation and a place to write what a model would say. Rejects with -1 when the person declines. */
export async function askModel(
  params: CreateMessageRequest['params'],
  signal: AbortSignal
): Promise<CreateMessageResult> {
  const reply = h('textarea', { id: uniqueId('reply'), rows: 5, required: true })
  const system = params.systemPrompt === undefined ? [] : [h('p', { class: 'hint' }, params.systemPrompt)]
  const messages = params.messages.map(({ role, content }) =>
    h('blockquote', {}, h('cite', {}, role), h('p', {}, textOf(content)))
  )
  const label = h('label', { for: reply.id }, 'What the model says')
  const text = await ask<string | null>(
    {
      title: 'You are the model',
      body: [...system, ...messages, h('div', { class: 'field' }, label, reply)],
      submit: { label: 'Reply', read: (form) => (form.reportValidity() ? reply.value : undefined) },
      decline: { label: 'Refuse', answer: null },
      dismissed: null
    },
    signal
  )
  // https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#error-handling
  if (text === null) throw Object.assign(new Error('User rejected sampling request'), { code: -1 })
  return { model: 'a person', role: 'assistant', content: { type: 'text', text }, stopReason: 'endTurn' }
}
