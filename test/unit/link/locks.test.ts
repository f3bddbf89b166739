import { describe, expect, test, vi } from 'vitest'
import { connectionLock, sessionLock, webLocks } from '../../../src/link/locks.js'
import { locksContract } from '../../contract/locks-contract.js'
import { LockSpace, memoryLocks } from '../../doubles/locks.js'

describe('the double of Web Locks', () => {
  for (const { name, holds } of locksContract) {
    test(name, async () => {
      const space = new LockSpace()
      const [a, b] = [memoryLocks(space), memoryLocks(space)]
      await expect(holds({ a, b, killA: async () => a.die() })).resolves.toBeUndefined()
      a.die()
      b.die()
      expect(space.names).toEqual([])
    })
  }
})

test('F29 where there are no Web Locks, the error says how to get them', () => {
  vi.stubGlobal('navigator', {})
  const told = { code: 'insecure_context', message: expect.stringMatching(/https.*localhost/) as string }
  expect(() => webLocks()).toThrow(expect.objectContaining(told))
  vi.unstubAllGlobals()
})

test('a sandboxed frame, whose locks are refused, hears how to get them', async () => {
  const refuse = (): Promise<void> => Promise.reject(new DOMException('denied', 'SecurityError'))
  vi.stubGlobal('navigator', { locks: { request: refuse } })
  const locks = webLocks()
  vi.unstubAllGlobals()
  await expect(locks.hold('x')).rejects.toMatchObject({ code: 'insecure_context' })
  await expect(locks.free('x')).rejects.toMatchObject({ code: 'insecure_context' })
})

test('connections and sessions of one name have different locks', () => {
  expect(connectionLock('x')).not.toBe(sessionLock('x'))
})
