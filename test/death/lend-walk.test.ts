// Kills a worker at every commit and every send of a call that a tab's page runs: the page lives on, so the call must come
// to its result, and the page must run it once.

import { describe, expect, test } from 'vitest'
import { agentTools, listTasks, runTask } from '../../src/index.js'
import { lendTools } from '../../src/lend.js'
import { counter } from '../support/kill-walk.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const fromTask = toolOf(
  'read_page',
  async (_, task) => text(`read: ${JSON.stringify((await task.callTab('save')).content)}`),
  { onInterrupt: 'resume' }
)

type Way = 'from a task' | 'as a task' | 'plainly'

/** One call, with workers that die at the given points, one after the other ('': never). */
async function walk(way: Way, ...deaths: string[]) {
  const world = new World({ tools: [fromTask] })
  const numbered = deaths.map(() => counter())
  const points = deaths.map((): string[] => [])
  world.onpoint((worker, point) => {
    const at = world.workers.indexOf(worker)
    const name = numbered[at]?.(point)
    if (name === undefined) return
    points[at]?.push(name)
    if (name === deaths[at]) worker.kill()
  })
  let ran = 0
  const { client } = await world.tab()
  await lendTools(client, [{ name: 'save', run: () => text(`saved ${++ran}`) }])
  const call = { 'from a task': 'read_page', 'as a task': 'save', plainly: 'save' }[way]
  const result =
    way === 'plainly'
      ? await client.callTool({ name: call })
      : await runTask(client, { name: call }).then((run) => run.result())
  const { tasks } = await listTasks(client)
  return { points, ran, result, tasks, died: world.workers.length - 1, client }
}

async function sideBySide(points: readonly string[], go: (point: string) => Promise<void>): Promise<void> {
  const due = [...points]
  while (due.length > 0) await Promise.all(due.splice(0, 8).map(go))
}

describe.each<Way>(['from a task', 'as a task', 'plainly'])(
  'a worker that dies while a page runs a call made %s',
  (way) => {
    const expected = way === 'from a task' ? text('read: [{"type":"text","text":"saved 1"}]') : text('saved 1')

    const check = async (...deaths: string[]): Promise<string[]> => {
      const { points, ran, result, tasks, client } = await walk(way, ...deaths)
      const where = deaths.join(' then ')
      expect(result, where).toMatchObject(expected)
      expect(ran, `the page runs it once, killed at ${where}`).toBe(1)
      expect(
        tasks.map(({ status }) => status),
        where
      ).toEqual(['completed'])
      // Whatever was lent is lent to the last worker, too.
      expect(await agentTools(client).call('save'), where).toMatchObject(text('saved 2'))
      return points.at(-1) ?? []
    }

    test('at any commit or send', async () => {
      const points = await check('')
      expect(points).toEqual(
        expect.arrayContaining([
          'committed:ask#0',
          'before:take#0',
          'committed:take#0',
          'send:intab/lent/call#0',
          'committed:answer#0'
        ])
      )
      await sideBySide(points, async (point) => void (await check(point)))
    })

    test('and its heir at any of its own', async () => {
      const first = 'send:intab/lent/call#0'
      const points = await check(first, '')
      expect(points).toContain('committed:adopt#0')
      await sideBySide(points, async (point) => void (await check(first, point)))
    })
  }
)
