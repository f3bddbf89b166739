import { afterEach } from 'vitest'
import { openStorage } from '../../../src/storage/open-storage.js'
import type { IntabEvent } from '../../../src/types.js'
import type { Open, Opened } from '../../contract/storage-harness.js'

const opened: Opened[] = []

/** Opens storages that are closed after the test. */
export const open: Open = async (options = {}) => {
  const name = options.name ?? `test:${crypto.randomUUID()}`
  const published: string[] = []
  const events: IntabEvent[] = []
  const storage = await openStorage({
    publish: (taskId) => published.push(taskId),
    onevent: (event) => events.push(event),
    ...options,
    name
  })
  const all = { ...storage, name, published, events }
  opened.push(all)
  return all
}

afterEach(() => {
  for (const storage of opened.splice(0)) storage.close()
})
