// What the server asks of this tab goes to a dialog.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { formDialog } from './ask-form.js'
import { modelDialog } from './ask-model.js'
import { urlDialog } from './ask-url.js'
import type { Dialogs } from './dialogs.js'

/** Lets the client answer elicitation and sampling by the dialogs. */
export function answerRequests(client: Client, dialogs: Dialogs): void {
  client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal, requestId }) =>
    dialogs.ask(String(requestId), params.mode === 'url' ? urlDialog(params) : formDialog(params), signal)
  )
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal, requestId }) => {
    const reply = await dialogs.ask(String(requestId), modelDialog(params, signal), signal)
    if (reply !== null) return reply
    // https://modelcontextprotocol.io/specification/2025-11-25/client/sampling#error-handling
    throw Object.assign(new Error('User rejected sampling request'), { code: -1 })
  })
}
