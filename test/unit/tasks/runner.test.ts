import { expect, test, vi } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import { Runner } from '../../../src/tasks/runner.js'
import { newTask, openEngine } from '../../support/engine.js'
import { text, toolOf } from '../../support/tools.js'

test('a task does not stay open when the store is busy for its end, and for the word of that, too', async () => {
  const engine = await openEngine()
  const finish = vi.fn(engine.tasks.finish)
  for (let i = 0; i < 2; i++) finish.mockRejectedValueOnce(new IntabError('storage_busy', 'try again'))
  const errors: Error[] = []
  const finished: string[] = []
  const runner = new Runner({ ...engine, tasks: { ...engine.tasks, finish }, onerror: (e) => errors.push(e) }, (task) =>
    finished.push(task.status)
  )
  const { task } = await newTask(engine)
  runner.start(
    task,
    toolOf('quick', () => text('done'))
  )
  await expect.poll(() => finished).toEqual(['failed'])
  expect(await engine.tasks.get(task.taskId)).toMatchObject({ status: 'failed', statusMessage: 'try again' })
  expect(errors).toEqual([])
})
