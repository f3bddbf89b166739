import { describe, expect, test } from 'vitest'
import { runTask } from '../../src/index.js'
import { rawTab, type RawTab } from '../support/raw-tab.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** Reports two steps, waits, and reports a third as it ends. */
function stepper() {
  const [seen, go] = [gate(), gate()]
  const tool = toolOf('steps', async (_, task) => {
    task.progress({ progress: 1, total: 3, message: 'one' })
    await seen.opened
    task.progress({ progress: 2, total: 3 })
    await go.opened
    task.progress({ progress: 3, total: 3 })
    return text('done')
  })
  return { tool, seen, go }
}

const told = (raw: RawTab): unknown[] => raw.heard('notifications/progress').map(({ params }) => params.progress)

describe('progress of a task', () => {
  test('SP-075 SP-076 goes to the client that called, with its token, to the end, and names the task', async () => {
    const { tool, seen, go } = stepper()
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('steps', {}, {}, { progressToken: 'mine' })
    const first = await raw.next('notifications/progress')
    expect(first.params).toEqual({
      progressToken: 'mine',
      progress: 1,
      total: 3,
      message: 'one',
      _meta: { [RELATED_TASK]: { taskId } }
    })
    seen.open()
    await raw.next('notifications/progress')
    go.open()
    await raw.result(taskId)
    expect(told(raw)).toEqual([1, 2, 3])
  })

  test('comes before the status of the end, and nothing of it after', async () => {
    const late = gate()
    const tool = toolOf('steps', async (_, task) => {
      task.progress({ progress: 1 })
      setImmediate(() => {
        task.progress({ progress: 2 })
        late.open()
      })
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('steps', {}, {}, { progressToken: 0 })
    await raw.result(taskId)
    await late.opened
    await raw.quiet()
    const methods = raw.log.flatMap((message) => {
      if (!('method' in message)) return []
      const { status } = (message.params ?? {}) as { status?: string }
      return message.method === 'notifications/progress' || status === 'completed' ? [message.method] : []
    })
    expect(methods.at(-1)).toBe('notifications/tasks/status')
    expect(methods.slice(0, -1).every((method) => method === 'notifications/progress')).toBe(true)
    expect(methods.length).toBeGreaterThan(1)
  })

  test('is told to no other connection, and to none without a token; every tab finds the newest in the task', async () => {
    const { tool, seen, go } = stepper()
    const world = new World({ tools: [tool] })
    const [raw, other] = [await rawTab(world), await rawTab(world)]
    const { taskId } = await raw.create('steps')
    seen.open()
    await expect.poll(async () => (await other.get(taskId))._meta['intab/progress']).toEqual({ progress: 2, total: 3 })
    go.open()
    expect(await other.result(taskId)).toMatchObject(text('done'))
    expect((await other.get(taskId))._meta['intab/progress']).toEqual({ progress: 3, total: 3 })
    expect([...told(raw), ...told(other)]).toEqual([])
  })

  test('that does not increase is not told again', async () => {
    const tool = toolOf('back', async (_, task) => {
      for (const progress of [5, 5, 3, 6]) {
        task.progress({ progress })
        await task.status(`At ${progress}`)
      }
      return text('done')
    })
    const raw = await rawTab(new World({ tools: [tool] }))
    const { taskId } = await raw.create('back', {}, {}, { progressToken: 1 })
    await raw.result(taskId)
    const steps = told(raw) as number[]
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b))
    expect(steps.at(-1)).toBe(6)
  })

  test("reaches the SDK's callback, for a task and for a plain call of an optional tool", async () => {
    for (const plain of [false, true]) {
      const { tool, seen, go } = stepper()
      const { client } = await new World({ tools: [tool] }).tab()
      const steps: number[] = []
      const onprogress = ({ progress }: { progress: number }): void => {
        steps.push(progress)
        if (progress === 1) seen.open()
        if (progress === 2) go.open()
      }
      if (plain) await client.callTool({ name: 'steps' }, undefined, { onprogress })
      else await (await runTask(client, { name: 'steps' }, { onprogress })).result()
      expect(steps).toEqual([1, 2, 3])
    }
  })

  test('that no client could read is told to the host and hurts nobody', async () => {
    const tool = toolOf('bad', (_, task) => {
      task.progress({ progress: Number.NaN })
      return text('done')
    })
    const world = new World({ tools: [tool] })
    const worker = world.worker()
    const raw = await rawTab(world)
    const { taskId } = await raw.create('bad')
    expect(await raw.result(taskId)).toMatchObject(text('done'))
    expect(worker.eventsOf('error')).toMatchObject([{ while: 'progress', error: { code: 'invalid_options' } }])
  })
})
