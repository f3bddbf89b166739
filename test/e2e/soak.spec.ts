import { writeFile } from 'node:fs/promises'
import { randomOf } from '../support/random.js'
import { expect, test } from './fixtures.js'
import type { Sign } from './soak/facts.js'
import { Round } from './soak/round.js'
import { SoakTabs } from './soak/tabs.js'

/** How many rounds; 0: for as long as `seconds` says. */
const rounds = Number(process.env['INTAB_SOAK_ROUNDS'] ?? 0)
const seconds = Number(process.env['INTAB_SOAK_SECONDS'] ?? 45)
const seed = Number(process.env['INTAB_SOAK_SEED'] ?? 20_251_125)
const summaryFile = process.env['INTAB_SOAK_SUMMARY']

const rule = 'tabs close, workers die, tasks are cancelled at random: none is lost, repeated or stuck'

test(`F14 F18 F54 F58 F59 ${rule} (seed ${seed})`, async ({ context, workers, problems }) => {
  test.setTimeout(rounds > 0 ? 0 : seconds * 1000 + 120_000)
  const random = randomOf(seed)
  const tabs = new SoakTabs(context, random)
  let round: Round | undefined
  await context.exposeFunction('tell', (sign: Sign) => round?.saw(sign))

  const total = { rounds: 0, tasks: 0, lost: [] as string[], repeated: [] as string[], stuck: [] as string[] }
  const summary = (): string =>
    `${total.rounds} rounds, ${total.tasks} tasks, lost ${total.lost.length}, repeated ${total.repeated.length}, stuck ${total.stuck.length}`
  const faults = (): string[] => [...total.lost, ...total.repeated, ...total.stuck, ...problems]
  const end = Date.now() + seconds * 1000
  const goesOn = (): boolean => faults().length === 0 && (rounds > 0 ? total.rounds < rounds : Date.now() < end)
  while (goesOn()) {
    round = new Round(`r${total.rounds}`, tabs, workers, random)
    const { tasks, ...verdict } = await round.run()
    total.rounds++
    total.tasks += tasks
    for (const kind of ['lost', 'repeated', 'stuck'] as const) total[kind].push(...verdict[kind])
    if (rounds > 0 && total.rounds % 20 === 0) console.log(summary())
  }

  console.log(summary())
  if (summaryFile !== undefined) await writeFile(summaryFile, summary())
  expect(total.rounds).toBeGreaterThan(0)
  expect(faults(), `seed ${seed}, round ${total.rounds - 1}`).toEqual([])
})
