import { expect, test, vi } from 'vitest'
import { Origin, request, soon } from './rig.js'

test('F62 whatever was said, the end leaves no proxy whose collection would run in a cached page', async () => {
  const registered = new Set<unknown>()
  const { prototype } = FinalizationRegistry
  const register = vi.spyOn(prototype, 'register').mockImplementation((_target, _held, token) => {
    registered.add(token)
  })
  const unregister = vi.spyOn(prototype, 'unregister').mockImplementation((token) => registered.delete(token))
  try {
    const page = await new Origin().page()
    await page.initialize()
    for (let id = 1; id <= 5; id++) await page.transport.send(request(id, 'ping'))
    await soon(() => expect(registered.size).toBe(0))
    expect(register).toHaveBeenCalled()
    await page.transport.close()
    await soon(() => expect(registered.size).toBe(0))
  } finally {
    register.mockRestore()
    unregister.mockRestore()
  }
})
