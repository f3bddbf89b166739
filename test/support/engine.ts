// The real store and the real bus under a name of their own.

import { onTestFinished } from 'vitest'
import { openBus } from '../../src/bus/update-bus.js'
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/open-storage.js'
import { fenceOf } from '../../src/tasks/status.js'
import { Waiters } from '../../src/tasks/waiters.js'
import type { Fence, TaskDraft, TaskRecord, UpdateBus } from '../../src/types.js'
import { draftOf } from './record.js'

export interface TestEngine extends Storage {
  bus: UpdateBus
  waiters: Waiters
  name: string
}

export async function openEngine(options: Partial<StorageOptions> = {}): Promise<TestEngine> {
  const name = options.name ?? `test:${crypto.randomUUID()}`
  const bus = openBus(name)
  const storage = await openStorage({ name, publish: (taskId, left) => bus.publish(taskId, left), ...options })
  onTestFinished(() => {
    bus.close()
    storage.close()
  })
  const waiters = new Waiters(storage.messages, bus, (error) => {
    throw error
  })
  return { ...storage, bus, waiters, name }
}

export async function newTask(
  { tasks }: Pick<TestEngine, 'tasks'>,
  more: Partial<TaskDraft> = {}
): Promise<{ task: TaskRecord; fence: Fence }> {
  const { task } = await tasks.create(draftOf(more))
  return { task, fence: fenceOf(task) }
}
