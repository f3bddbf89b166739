// The browser's own model as an agent's: it is held to one JSON object, an answer or a call.
// https://developer.mozilla.org/docs/Web/API/Prompt_API

import { askBrowser } from '../questions/language-model.js'
import type { Model } from './model.js'
import { promptOf, replyOf } from './prompt.js'

const constraint = {
  anyOf: [
    { type: 'object', properties: { say: { type: 'string' } }, required: ['say'], additionalProperties: false },
    {
      type: 'object',
      properties: { call: { type: 'string' }, arguments: { type: 'object' } },
      required: ['call', 'arguments'],
      additionalProperties: false
    }
  ]
}

export const browserModel: Model = {
  label: "This browser's model",
  next: async (messages, tools, signal) =>
    replyOf(await askBrowser(promptOf(messages, tools), signal, constraint), tools)
}
