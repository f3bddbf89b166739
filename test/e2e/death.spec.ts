import { counter, type Expected, faultsOf } from '../support/kill-walk.js'
import { researched } from '../support/research.js'
import { expect, test } from './fixtures.js'

const page = '/test/e2e/pages/death.html'

const tools: [tool: string, rule: string, expected: Expected][] = [
  ['research', 'goes on from its last step, asks nothing twice and finishes', { text: researched, resumes: true }],
  ['confirm_delete', 'does not resume: it is failed and says why', { text: 'Deleted a.txt', resumes: false }],
  ['write_haiku', 'does not resume: it is failed and says why', { text: 'old pond', resumes: false }]
]

/**
 * A question is claimed apart, or offered after its grace, only when it is asked before the tab waits for the result; what
 * the worker does for others comes some time later. Both are a matter of time; each has its own test in test/attack.
 */
const byChance = /:(claim|take|give-back|fetched|sweep)$/

for (const [tool, rule, expected] of tools) {
  test(`F58 the worker is killed at every commit and send of ${tool}, which ${rule}`, async ({
    openTab,
    killWorker
  }) => {
    test.setTimeout(180_000)
    const tab = await openTab(page)
    await tab.exposeFunction('killWorker', () => killWorker('death'))
    const walk = (at?: string) => tab.evaluate(([name, point]) => globalThis.walk(name, point), [tool, at] as const)

    const { points } = await walk()
    const visited = new Set<string>()
    const reported = new Set(points)
    const due = points.map(counter())
    for (const at of due) {
      const walked = await walk(at)
      for (const point of walked.points) {
        if (!reported.has(point)) due.push(`${point}#0`)
        reported.add(point)
      }
      if (walked.killed === undefined) continue
      visited.add(walked.killed)
      expect(faultsOf(walked, expected)).toEqual([])
    }
    const missed = [...reported].filter((point) => !visited.has(point) && !byChance.test(point))
    expect(missed).toEqual([])
    expect([...visited]).toEqual(expect.arrayContaining(points.filter((point) => !byChance.test(point))))
  })
}
