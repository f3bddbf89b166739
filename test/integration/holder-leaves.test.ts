import { expect, onTestFinished, test, vi } from 'vitest'
import { runTask } from '../../src/index.js'
import { drain } from '../../src/link/attempt.js'
import { RawConnection, rawPage } from '../support/raw.js'
import { forms, rawTab } from '../support/raw-tab.js'
import { confirmDelete, gate } from '../support/tools.js'
import { World } from '../support/world.js'

const never = (): Promise<never> => new Promise(() => undefined)

test('a tab that held a question for longer than the grace, and leaves, leaves it to one that does not wait', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const world = new World({ tools: [confirmDelete], deliveryGrace: 50 })
  const onelicit = vi.fn(never)
  const other = vi.fn(() => ({ action: 'decline' as const }))
  const holder = await world.tab({ onelicit })
  await world.tab({ onelicit: other })
  const run = await runTask(holder.client, { name: 'confirm_delete', arguments: { filename: 'a' } })
  const result = run.result()
  await vi.waitFor(() => expect(onelicit).toHaveBeenCalledTimes(1))
  // Past both graces.
  await vi.advanceTimersByTimeAsync(150)
  await holder.close()
  await expect(result).rejects.toThrow()
  await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(1))
})

test('a page that leaves while it is let in once more gives back what it shows', async () => {
  const entering = gate()
  const decided = gate()
  let visits = 0
  const owner = async (): Promise<string> => {
    if (++visits === 3) {
      entering.open()
      await decided.opened
    }
    return 'ann'
  }
  const world = new World({ tools: [confirmDelete], owner })
  const tab = await rawTab(world, { capabilities: forms })
  const page = await rawPage(world)
  const connection = await RawConnection.open(world, undefined, page)
  await connection.initialize()
  const { taskId } = await tab.create('confirm_delete', { filename: 'a' })
  connection.say({ jsonrpc: '2.0', id: 'wait', method: 'tasks/result', params: { taskId } }).catch(() => undefined)
  const questions = async () => ((await tab.ok('intab/questions/list')).questions as { requestId: string }[])[0]
  await expect.poll(questions).toMatchObject({ shown: true })
  const again = RawConnection.open(world, undefined, page, [(await questions())?.requestId ?? ''])
  again.catch(() => undefined)
  await entering.opened
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  page.locks.die()
  // Nothing tells the outside when the worker has noticed.
  await vi.advanceTimersByTimeAsync(2 * drain)
  vi.useRealTimers()
  decided.open()
  await expect.poll(questions).toMatchObject({ shown: false })
})
