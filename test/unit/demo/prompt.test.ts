// What the reply of a model comes to, whatever the model says.

import { expect, test } from 'vitest'
import { replyOf } from '../../../src/demo/agent/prompt.js'

const tools = [{ name: 'countdown', inputSchema: { type: 'object' as const } }]
const call = (args: unknown) => ({ name: 'countdown', arguments: args })

test.each([
  ['{"say":"Hello"}', 'Hello'],
  ['{"call":"countdown","arguments":{"seconds":1}}', call({ seconds: 1 })],
  ['Sure! ```json\n{"call":"countdown","arguments":{"seconds":1}}\n``` {Done}', call({ seconds: 1 })],
  ['{"call":"countdown"}', call({})],
  ['{"call":"countdown","arguments":[1]}', call({})],
  ['{"call":"countdown","arguments":null}', call({})],
  ['{"call":"no_such_tool","arguments":{}}', '{"call":"no_such_tool","arguments":{}}'],
  ['{"say":1}', '{"say":1}'],
  ['}{', '}{'],
  ['}', '}'],
  ['[1]', '[1]'],
  ['  zzzz ', 'zzzz'],
  ['', 'The model said nothing.']
])('%j', (text, reply) => {
  expect(replyOf(text, tools)).toEqual(reply)
})
