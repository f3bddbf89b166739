import { expect, onTestFinished, test } from 'vitest'
import { runAll } from '../../../src/link/turn.js'

test('R21 what one of a turn throws goes uncaught, and keeps none of the others from running', async () => {
  const ran: number[] = []
  const uncaught = new Promise((resolve) => {
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.once('uncaughtException', resolve)
    onTestFinished(() => {
      for (const other of others) process.on('uncaughtException', other)
    })
  })
  runAll([
    () => ran.push(1),
    () => {
      throw new Error('the second')
    },
    () => ran.push(3)
  ])
  expect(ran).toEqual([1, 3])
  expect(await uncaught).toMatchObject({ message: 'the second' })
})
