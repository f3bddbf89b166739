import { expect, test } from 'vitest'
import { toolOf, text } from '../support/tools.js'
import { World } from '../support/world.js'

test('a server that cannot start tells every tab why, and leaves no rejection to nobody', async () => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', listener)
  try {
    const tool = toolOf('twice', () => text(''))
    const world = new World({ tools: [tool, tool] })
    const { server } = world.worker()
    await expect(world.tab()).rejects.toMatchObject({ code: 'duplicate_tool' })
    await expect(server.ready).rejects.toMatchObject({ code: 'duplicate_tool' })
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', listener)
  }
})
