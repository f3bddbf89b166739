// A tool as a card that opens to a form and runs it.

import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { showError } from '../alerts.js'
import { button, copyButton } from '../button.js'
import { h, uniqueId } from '../dom.js'
import { schemaForm } from '../form/schema-form.js'
import type { JsonObject } from '../json.js'
import { renderError, renderResult } from '../outcome/render-outcome.js'
import { callOf, codeOf } from './copy-call.js'

export interface ToolActions {
  /** Calls the tool as a task; resolves once the task is stored. */
  runTask(name: string, args: JsonObject): Promise<unknown>
  /** Calls the tool plainly; resolves with its result. */
  call(name: string, args: JsonObject, signal: AbortSignal): Promise<CallToolResult>
}

type Support = 'required' | 'optional' | 'forbidden'

const supports: Record<Support, string> = {
  required: 'task only',
  optional: 'task or plain',
  forbidden: 'plain only'
}

/** A card for a tool. */
export function toolForm(tool: Tool, actions: ToolActions): HTMLElement {
  const support: Support = tool.execution?.taskSupport ?? 'forbidden'
  const fields = schemaForm(tool.inputSchema as JsonObject)
  const title = h('h3', { id: uniqueId('tool') }, tool.title ?? tool.name)
  const result = h('div', { class: 'plain-result', role: 'status' })
  const asTask = support !== 'forbidden'

  const checked = (act: (args: JsonObject) => Promise<unknown>) => async (): Promise<void> => {
    if (fields.check()) await act(fields.read())
  }
  const runAsTask = checked((args) => actions.runTask(tool.name, args))
  const runPlainly = checked(async (args) => {
    const stopping = new AbortController()
    const stop = button('Stop', () => stopping.abort(new Error('Stopped')), { class: 'small' })
    result.replaceChildren(h('p', { class: 'hint running' }, 'Running …', stop))
    result.replaceChildren(await actions.call(tool.name, args, stopping.signal).then(renderResult, renderError))
  })

  const main = h('button', { type: 'submit', class: 'primary' }, asTask ? 'Run as a task' : 'Run')
  const form = h(
    'form',
    { novalidate: true, 'aria-labelledby': title.id },
    ...(tool.description === undefined ? [] : [h('p', { class: 'hint' }, tool.description)]),
    fields.element,
    h(
      'div',
      { class: 'buttons' },
      main,
      ...(support === 'optional' ? [button('Run plainly', runPlainly)] : []),
      h(
        'span',
        { class: 'copies' },
        copyButton('Copy as JSON', () => JSON.stringify(callOf(tool.name, fields.read(), asTask), null, 2)),
        copyButton('Copy as code', () => codeOf(tool.name, fields.read(), asTask))
      )
    ),
    result
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    main.disabled = true
    const run = asTask ? runAsTask : runPlainly
    run()
      .catch(showError)
      .finally(() => (main.disabled = false))
  })
  const names = h('span', { class: 'tool-names' }, title, h('code', {}, tool.name))
  const summary = h('summary', {}, names, h('span', { class: 'badge' }, supports[support]))
  return h('details', { class: 'card tool', name: 'tools' }, summary, form)
}
