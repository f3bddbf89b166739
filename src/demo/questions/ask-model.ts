// A sampling request: the person plays the model, or looks over the shoulder of the browser's.
// https://modelcontextprotocol.io/specification/2025-11-25/client/sampling

import type { CreateMessageRequest, CreateMessageResult } from '@modelcontextprotocol/sdk/types.js'
import { showError } from '../alerts.js'
import { button } from '../button.js'
import { h, setText, uniqueId } from '../dom.js'
import type { DialogContent } from './dialogs.js'
import { askBrowser, hasModel, type Turn } from './language-model.js'

type Params = CreateMessageRequest['params']

const textOf = (content: Params['messages'][number]['content']): string =>
  [content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n')

function area(label: string, value: string, rows: number): { element: HTMLElement; input: HTMLTextAreaElement } {
  const input = h('textarea', { id: uniqueId('text'), rows }, value)
  return { input, element: h('div', { class: 'field' }, h('label', { for: input.id }, label), input) }
}

/** The reply as the protocol wants it; null when the person refuses. */
export function modelDialog(params: Params, signal: AbortSignal): DialogContent<CreateMessageResult | null> {
  const prompts = [
    ...(params.systemPrompt === undefined ? [] : [{ role: 'system' as const, content: params.systemPrompt }]),
    ...params.messages.map(({ role, content }): Turn => ({ role, content: textOf(content) }))
  ].map(({ role, content }) => ({ role, ...area(`Prompt (${role})`, content, 2) }))
  const reply = area('What the model says', '', 4)
  reply.input.autofocus = true
  const problem = h('small', { class: 'problem', role: 'alert' })
  reply.element.append(problem)
  let model = 'a person'

  const fromBrowser = button('Ask this browser’s model', async () => {
    setText(problem, '')
    const turns = prompts.map(({ role, input }) => ({ role, content: input.value }))
    reply.input.value = await askBrowser(turns, signal)
    model = 'the language model of the browser'
    reply.input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const source = h('p', { class: 'hint' }, 'You are the model: this browser has none of its own.')
  hasModel()
    .then((has) => {
      if (has) source.replaceChildren('Reply yourself, or: ', fromBrowser)
    })
    .catch(showError)

  const answer = (): CreateMessageResult | undefined => {
    const text = reply.input.value
    setText(problem, text.trim() === '' ? 'Write what the model says' : '')
    if (text.trim() === '') {
      reply.input.focus()
      return undefined
    }
    return { model, role: 'assistant', content: { type: 'text', text }, stopReason: 'endTurn' }
  }
  return {
    title: 'A tool asks the model',
    body: [...prompts.map(({ element }) => element), source, reply.element],
    submit: { label: 'Send reply', answer },
    others: [{ label: 'Refuse', answer: () => null }]
  }
}
