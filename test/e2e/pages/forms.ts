// The demo's forms and outcomes without a server: tests drive them through `globalThis.forms`.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { h } from '../../../src/demo/dom.js'
import type { JsonObject } from '../../../src/demo/json.js'
import { renderResult } from '../../../src/demo/outcome/render-outcome.js'
import { schemaForm } from '../../../src/demo/form/schema-form.js'

export interface Forms {
  show(schema: JsonObject, written?: JsonObject): void
  /** What the form holds; undefined while the browser finds something wrong in it. */
  send(): JsonObject | undefined
  showResult(result: CallToolResult): void
}

declare global {
  var forms: Forms
}

let send: Forms['send'] = () => undefined

globalThis.forms = {
  show(schema, written) {
    const fields = schemaForm(schema, written)
    const form = h('form', { novalidate: true }, fields.element)
    document.body.replaceChildren(form)
    send = () => (fields.check() ? fields.read() : undefined)
  },
  send: () => send(),
  showResult: (result) => document.body.replaceChildren(renderResult(result))
}
