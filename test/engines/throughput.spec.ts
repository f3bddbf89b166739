// How long tasks take while more and more are kept; the figures are on the console, docs/browsers.md has those of one machine.
import { expect, test } from './fixtures.js'

const each = Number(process.env['INTAB_TASKS'] ?? 25)

test('task after task is created, runs and gives its result, and all of them are kept', async ({ open, target }) => {
  const tab = await open()
  const seconds: number[] = []
  for (let round = 1; round <= 4; round++) {
    const took = await tab.run(async (count) => {
      const began = performance.now()
      for (let n = 0; n < count; n++) {
        const end = await app.follow(await app.start('quick'))
        if (end.join() !== 'completed,done') throw new Error(end.join())
      }
      return performance.now() - began
    }, each)
    seconds.push(took / 1000)
  }
  const statuses = Object.values(await tab.run(() => app.statuses()))
  expect(statuses).toEqual(Array.from({ length: 4 * each }, () => 'completed'))
  console.log(`${target}: seconds per ${each} tasks: ${seconds.map((each) => each.toFixed(1)).join(', ')}`)
})
