import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { h } from '../dom.js'
import { schemaForm } from '../form/schema-form.js'
import type { JsonObject } from '../json.js'
import type { DialogContent } from './dialogs.js'

/** The answer before did not fit, and the question is asked again. */
interface Refused {
  reason: string
  /** The question without the reason. */
  message: string
  answer?: { content?: JsonObject }
}

export const decline = { label: 'Decline', answer: (): ElicitResult => ({ action: 'decline' }) }
export const cancel = { label: 'Cancel', answer: (): ElicitResult => ({ action: 'cancel' }) }

/** An elicitation by form: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#form-mode-elicitation-requests */
export function formDialog(params: ElicitRequestFormParams): DialogContent<ElicitResult> {
  const refused = params._meta?.['intab/refused'] as Refused | undefined
  const fields = schemaForm(params.requestedSchema as JsonObject, refused?.answer?.content)
  const accept = (): ElicitResult | undefined =>
    fields.check() ? { action: 'accept', content: fields.read() as NonNullable<ElicitResult['content']> } : undefined
  const why = refused && h('p', { class: 'warning', role: 'alert' }, `Your answer was not taken: ${refused.reason}`)
  if (refused) fields.check()
  return {
    title: refused?.message ?? params.message,
    body: [...(why ? [why] : []), fields.element],
    submit: { label: 'Submit', answer: accept },
    others: [cancel, decline],
    dismissed: cancel.answer()
  }
}
