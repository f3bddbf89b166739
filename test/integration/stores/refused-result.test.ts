import { describe, expect, it, vi } from 'vitest'
import { text, toolOf } from '../../support/tools.js'
import { callAsTask, kinds, wire } from './wire.js'

const tools = [toolOf('pack', () => ({ ...text('done'), huge: 1 }), { pollInterval: 5 })]

describe.each(kinds)('a store that refuses a result, %s', (_kind, stores) => {
  it('leaves no task open: it fails, and says why', async () => {
    const { store, queue } = stores()
    vi.spyOn(store, 'storeTaskResult').mockRejectedValueOnce(new Error('the disk is full'))
    const { client, errors } = await wire({ store, queue, tools })
    const { taskId } = await callAsTask(client, 'pack')
    await vi.waitFor(async () =>
      expect(await store.getTask(taskId)).toMatchObject({ status: 'failed', statusMessage: 'the disk is full' })
    )
    expect(errors).toEqual([])
  })

  it('refuses all: the server hears of it', async () => {
    const { store, queue } = stores()
    vi.spyOn(store, 'storeTaskResult').mockRejectedValue(new Error('the disk is full'))
    const { client, errors } = await wire({ store, queue, tools })
    await callAsTask(client, 'pack')
    await vi.waitFor(() => expect(errors).toMatchObject([{ message: 'the disk is full' }]))
  })
})
