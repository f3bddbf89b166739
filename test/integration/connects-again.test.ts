import { expect, test } from 'vitest'
import { runTask, watchTasks } from '../../src/index.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

test('R20 who watches hears of all tasks also when the client connects with a new transport', async () => {
  const world = new World({ tools: [toolOf('job', () => text('done'))] })
  const { client } = await world.tab()
  const ended = gate<string>()
  await watchTasks(client, { ontask: ({ taskId, status }) => status === 'completed' && ended.open(taskId) })
  await client.close()
  await client.connect(world.transport().transport)
  const { client: other } = await world.tab()
  const { taskId } = await runTask(other, { name: 'job' })
  expect(await ended.opened).toBe(taskId)
  await client.close()
})
