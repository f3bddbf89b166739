import { describe, expect, it, vi } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import { text, toolOf } from '../../support/tools.js'
import { callAsTask, kinds, wire } from './wire.js'

const tools = [toolOf('pack', () => ({ ...text('done'), huge: 1 }), { pollInterval: 5 })]

describe.each(kinds)('a store that refuses a result, %s', (_kind, stores) => {
  it('for a while gets it once it takes it: what the tool returned, and the server heard of the trouble once', async () => {
    const { store, queue } = stores()
    const storing = vi.spyOn(store, 'storeTaskResult')
    for (let times = 0; times < 3; times += 1) storing.mockRejectedValueOnce(new Error('the disk is full'))
    const { client, errors } = await wire({ store, queue, tools })
    const { taskId } = await callAsTask(client, 'pack')
    await vi.waitFor(async () => expect(await store.getTask(taskId)).toMatchObject({ status: 'completed' }), 10_000)
    expect(await store.getTaskResult(taskId)).toMatchObject(text('done'))
    expect(errors).toMatchObject([{ message: 'the disk is full' }])
  })

  it('for good leaves no task open: it fails, and says why', async () => {
    const { store, queue } = stores()
    const reason = new IntabError('too_large', 'The result is too large')
    vi.spyOn(store, 'storeTaskResult').mockRejectedValueOnce(reason)
    const { client, errors } = await wire({ store, queue, tools })
    const { taskId } = await callAsTask(client, 'pack')
    await vi.waitFor(async () =>
      expect(await store.getTask(taskId)).toMatchObject({ status: 'failed', statusMessage: reason.message })
    )
    expect(errors).toEqual([])
  })
})
