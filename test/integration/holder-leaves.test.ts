import { expect, test, vi } from 'vitest'
import { runTask } from '../../src/index.js'
import { confirmDelete } from '../support/tools.js'
import { World } from '../support/world.js'

const never = (): Promise<never> => new Promise(() => undefined)

test('a tab that held a question for longer than the grace, and leaves, leaves it to one that does not wait', async () => {
  const world = new World({ tools: [confirmDelete], deliveryGrace: 50 })
  const onelicit = vi.fn(never)
  const other = vi.fn(() => ({ action: 'decline' as const }))
  const holder = await world.tab({ onelicit })
  await world.tab({ onelicit: other })
  const run = await runTask(holder.client, { name: 'confirm_delete', arguments: { filename: 'a' } })
  const result = run.result()
  await vi.waitFor(() => expect(onelicit).toHaveBeenCalledTimes(1))
  // The timers of the grace have fired, and found the question on a screen.
  await vi.waitFor(() => expect(world.living().eventsOf('delivered')).toHaveLength(2))
  await holder.close()
  await expect(result).rejects.toThrow()
  await vi.waitFor(() => expect(other).toHaveBeenCalledTimes(1))
})
