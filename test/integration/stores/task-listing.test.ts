import { ListTasksResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { createMany } from '../../contract/sdk-stores-harness.js'
import { kinds, wire } from './wire.js'

const idsOf = ({ tasks }: { tasks: { taskId: string }[] }): string[] => tasks.map(({ taskId }) => taskId)

describe.each(kinds)('tasks/list over the wire, %s', (_kind, stores) => {
  it('4.3 no tasks → empty, no cursor', async () => {
    const { client } = await wire(stores())
    const page = await client.experimental.tasks.listTasks()
    expect(page.tasks).toEqual([])
    expect(page.nextCursor).toBeUndefined()
  })

  it('4.3 three tasks come on one page, each as tasks/get shows it: what is visible there is visible here', async () => {
    const { store, queue } = stores()
    const ids = await createMany(store, 3)
    const { client } = await wire({ store, queue })
    const page = await client.experimental.tasks.listTasks()
    expect(idsOf(page)).toEqual(ids)
    for (const task of page.tasks) expect(await client.experimental.tasks.getTask(task.taskId)).toMatchObject(task)
  })

  it('4.3 15 come as 10, then 5', async () => {
    const { store, queue } = stores()
    const ids = await createMany(store, 15)
    const { client } = await wire({ store, queue })
    const first = await client.experimental.tasks.listTasks()
    const second = await client.experimental.tasks.listTasks(first.nextCursor)
    expect([idsOf(first), idsOf(second)]).toEqual([ids.slice(0, 10), ids.slice(10)])
    expect(second.nextCursor).toBeUndefined()
  })

  it('4.3 a task id works as cursor', async () => {
    const { store, queue } = stores()
    const ids = await createMany(store, 5)
    const { client } = await wire({ store, queue })
    expect(idsOf(await client.experimental.tasks.listTasks(ids[2]))).toEqual(ids.slice(3))
  })

  it('4.3 a bad cursor → -32602 that mentions it', async () => {
    const { client } = await wire(stores())
    await expect(client.experimental.tasks.listTasks('nowhere')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Invalid cursor: nowhere') as unknown
    })
  })

  it('4.3 the result has a _meta without related-task', async () => {
    const { client } = await wire(stores())
    const page = await client.request({ method: 'tasks/list' }, ListTasksResultSchema)
    expect(page._meta).toEqual({})
  })
})
