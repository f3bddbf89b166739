import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { schemaForm } from '../form/schema-form.js'
import type { JsonObject } from '../json.js'
import type { DialogContent } from './dialogs.js'

export const decline = { label: 'Decline', answer: (): ElicitResult => ({ action: 'decline' }) }
export const cancel = { label: 'Cancel', answer: (): ElicitResult => ({ action: 'cancel' }) }

/** An elicitation by form: https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#form-mode-elicitation-requests */
export function formDialog(params: ElicitRequestFormParams): DialogContent<ElicitResult> {
  const fields = schemaForm(params.requestedSchema as JsonObject)
  const accept = (): ElicitResult | undefined =>
    fields.check() ? { action: 'accept', content: fields.read() as NonNullable<ElicitResult['content']> } : undefined
  return {
    title: params.message,
    body: [fields.element],
    submit: { label: 'Submit', answer: accept },
    others: [cancel, decline],
    dismissed: cancel.answer()
  }
}
