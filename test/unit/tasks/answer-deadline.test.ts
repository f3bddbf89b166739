import { afterEach, expect, test, vi } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import { Answers } from '../../../src/tasks/answers.js'
import { ask } from '../../../src/tasks/input-request.js'
import { newTask, openEngine } from '../../support/engine.js'
import { gate } from '../../support/tools.js'

afterEach(() => {
  vi.useRealTimers()
})

test('the time of a question is over with its run, also when the store refuses to note that it passed', async () => {
  const engine = await openEngine()
  const { task, fence } = await newTask(engine)
  const { taskId, owner } = task
  const run = new AbortController()
  const refused = gate<boolean>()
  const answer = vi.fn<typeof engine.messages.answer>(() => refused.opened)
  const asking = {
    messages: { ...engine.messages, answer },
    waiters: engine.waiters,
    answers: new Answers(engine.messages, engine.bus, taskId, run.signal),
    owner,
    fence,
    signal: run.signal,
    onfenced: () => undefined
  }
  const asked = ask(asking, { key: 'k', method: 'elicitation/create', params: {}, needs: [], timeout: 1 })
  await vi.waitFor(async () => {
    const { messages = [] } = (await engine.messages.claim(taskId, owner, { connection: 'c', can: [] }, 0)) ?? {}
    expect(messages).toHaveLength(1)
  })
  await vi.waitFor(() => expect(answer).toHaveBeenCalledOnce())
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  run.abort(new Error('over'))
  await expect(asked).rejects.toThrow('over')
  refused.fail(new IntabError('closed', 'The storage has been closed'))
  await vi.advanceTimersByTimeAsync(5000)
  expect(answer).toHaveBeenCalledOnce()
})
