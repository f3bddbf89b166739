// No order is promised between the messages of a port, which end a turn, and the events of the database.

import { expect, test, vi } from 'vitest'

const afterTurn = vi.fn((act: () => void) => void setTimeout(act, 30))

test('a question that was stored before others were told of its task is asked all the same', async () => {
  // Modules of their own: other files share theirs.
  vi.resetModules()
  vi.doMock('../../src/link/turn.js', async (original) => ({ ...(await original<object>()), afterTurn }))
  const { forms, rawTab } = await import('../support/raw-tab.js')
  const { text, toolOf } = await import('../support/tools.js')
  const { World } = await import('../support/world.js')
  vi.doUnmock('../../src/link/turn.js')
  vi.resetModules()

  const ask = toolOf('ask', async (_, task) => {
    const { action } = await task.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } })
    return text(action)
  })
  const raw = await rawTab(new World({ tools: [ask], deliveryGrace: 200 }), { capabilities: forms })
  const { taskId } = await raw.create('ask')
  const question = await raw.next('elicitation/create')
  expect(question).toMatchObject({ params: { message: '?' } })
  await raw.answer(question, { result: { action: 'decline' } })
  expect(await raw.result(taskId)).toMatchObject(text('decline'))
  expect(afterTurn).toHaveBeenCalled()
})
