// A tool as a card that runs it.

import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { h, uniqueId } from './dom.js'
import type { JsonObject } from './json.js'
import { schemaForm } from './schema-form.js'

/** A form for the arguments of a tool; `run` gets them when the person sends it. */
export function toolForm(
  tool: Tool,
  run: (args: JsonObject) => Promise<void>,
  onerror: (error: unknown) => void
): HTMLElement {
  const fields = schemaForm(tool.inputSchema as JsonObject)
  const title = h('h3', { id: uniqueId('tool') }, tool.title ?? tool.name)
  const button = h('button', { type: 'submit', class: 'primary' }, 'Run as a task')
  const form = h(
    'form',
    { class: 'card', novalidate: true, 'aria-labelledby': title.id },
    h('div', { class: 'card-head' }, title, h('code', {}, tool.name)),
    h('p', { class: 'hint' }, tool.description ?? ''),
    fields.element,
    h('div', { class: 'buttons' }, button)
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    fields.check()
    if (form.reportValidity()) run(fields.read()).catch(onerror)
  })
  return form
}
