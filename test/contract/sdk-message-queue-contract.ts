import { describe, expect, it } from 'vitest'
import { failure, type NewQueue, notification, request, response } from './sdk-stores-harness.js'

const kinds = { request, notification, response }

/** An SDK TaskMessageQueue. */
export function sdkMessageQueueContract(name: string, open: NewQueue): void {
  describe(`${name}: enqueue and dequeue`, () => {
    it.each(Object.entries(kinds))('4.1 queue: a %s survives the round trip as it is', async (_kind, message) => {
      const queue = open()
      await queue.enqueue('task', message(1))
      expect(await queue.dequeue('task')).toEqual(message(1))
    })

    it('4.1 queue: an empty one gives undefined · 4.7 queue: empty → undefined', async () => {
      const queue = open()
      expect(await queue.dequeue('task')).toBeUndefined()
    })

    it('4.1 queue: mixed kinds leave in the order in which they came, then undefined', async () => {
      const queue = open()
      const messages = [request(1), notification(2), response(3), failure(4)]
      for (const message of messages) await queue.enqueue('task', message)
      for (const message of messages) expect(await queue.dequeue('task')).toEqual(message)
      expect(await queue.dequeue('task')).toBeUndefined()
    })

    it('4.7 queue: first in, first out, of three', async () => {
      const queue = open()
      for (const n of [1, 2, 3]) await queue.enqueue('task', notification(n))
      const left = [await queue.dequeue('task'), await queue.dequeue('task'), await queue.dequeue('task')]
      expect(left).toEqual([notification(1), notification(2), notification(3)])
    })

    it('4.1 queue: an error entry keeps its type and body', async () => {
      const queue = open()
      await queue.enqueue('task', failure(5))
      expect(await queue.dequeue('task')).toEqual({
        type: 'error',
        message: { jsonrpc: '2.0', id: 5, error: { code: -32_005, message: 'no', data: { n: 5 } } },
        timestamp: 1_005
      })
    })

    it('what was taken is gone, also for dequeueAll', async () => {
      const queue = open()
      for (const n of [1, 2, 3]) await queue.enqueue('task', request(n))
      await queue.dequeue('task')
      expect(await queue.dequeueAll('task')).toEqual([request(2), request(3)])
    })
  })

  describe(`${name}: dequeueAll`, () => {
    it('4.1 dequeueAll: all in order, responses too · 4.7 dequeueAll ordered', async () => {
      const queue = open()
      const messages = [request(1), response(2), notification(3)]
      for (const message of messages) await queue.enqueue('task', message)
      expect(await queue.dequeueAll('task')).toEqual(messages)
    })

    it('4.1 dequeueAll: unknown task → [] · 4.7 empty → []', async () => {
      const queue = open()
      expect(await queue.dequeueAll('none')).toEqual([])
    })

    it('4.1 dequeueAll: empties the queue · 4.7 emptied after', async () => {
      const queue = open()
      await queue.enqueue('task', request(1))
      await queue.dequeueAll('task')
      expect(await queue.dequeue('task')).toBeUndefined()
      expect(await queue.dequeueAll('task')).toEqual([])
    })
  })

  describe(`${name}: limits and isolation`, () => {
    it('4.1 size limits: the third message over a maximum of 2 rejects with the text, and is not there', async () => {
      const queue = open()
      await queue.enqueue('task', request(1), undefined, 2)
      await queue.enqueue('task', request(2), undefined, 2)
      await expect(queue.enqueue('task', request(3), undefined, 2)).rejects.toThrow(
        'Task message queue overflow: queue size (2) exceeds maximum (2)'
      )
      expect(await queue.dequeueAll('task')).toEqual([request(1), request(2)])
    })

    it('4.1 size limits: below the limit it resolves with undefined', async () => {
      const queue = open()
      await expect(queue.enqueue('task', request(1), undefined, 2)).resolves.toBeUndefined()
    })

    it('a maximum of 0 admits nothing; each task has its own; what left makes room', async () => {
      const queue = open()
      await expect(queue.enqueue('task', request(1), undefined, 0)).rejects.toThrow(
        'queue size (0) exceeds maximum (0)'
      )
      await queue.enqueue('a', request(1), undefined, 1)
      await queue.enqueue('b', request(2), undefined, 1)
      await queue.dequeue('a')
      await queue.enqueue('a', request(3), undefined, 1)
      expect(await queue.dequeueAll('a')).toEqual([request(3)])
    })

    it('4.1 isolation: two tasks do not see each other’s messages', async () => {
      const queue = open()
      await queue.enqueue('a', request(1))
      await queue.enqueue('b', request(2))
      await queue.enqueue('a', request(3))
      expect(await queue.dequeueAll('b')).toEqual([request(2)])
      expect(await queue.dequeueAll('a')).toEqual([request(1), request(3)])
    })

    it('the session says nothing: ids of tasks are unique, and the store decides who sees which', async () => {
      const queue = open()
      await queue.enqueue('task', request(1), 'a')
      await queue.enqueue('task', request(2))
      expect(await queue.dequeue('task', 'b')).toEqual(request(1))
      expect(await queue.dequeueAll('task', 'c')).toEqual([request(2)])
    })
  })

  describe(`${name}: calls that nobody awaits`, () => {
    it('take effect in the order in which they were made', async () => {
      const queue = open()
      const results = await Promise.all([
        queue.enqueue('task', request(1)),
        queue.enqueue('task', request(2)),
        queue.dequeue('task'),
        queue.enqueue('task', request(3)),
        queue.dequeueAll('task'),
        queue.dequeue('task')
      ])
      expect(results).toEqual([undefined, undefined, request(1), undefined, [request(2), request(3)], undefined])
    })
  })
}
