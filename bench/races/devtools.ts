// Whether devtools hold up the page that they are in: its longest frame while much happens.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { runTask, watchTasks } from 'intab'
import { type DevtoolsPane, mountDevtools } from 'intab/devtools'
import { fill } from '../floors/fill.js'
import { type Race, type Scale, timed } from '../pages/race.js'
import { Server } from '../pages/tab.js'

/** More than this is seen, in ms: https://web.dev/articles/rail */
const limit = 50

/** A browser draws nothing where it takes the page for hidden. */
const frame = (): Promise<number> =>
  new Promise((resolve) => {
    requestAnimationFrame(resolve)
    setTimeout(() => resolve(performance.now()), 1000)
  })

/** The longest time between two frames; each gets how far the measurement is, from 0 to 1. */
async function longestFrameOf(span: number, each: (part: number) => void = () => undefined): Promise<number> {
  const start = await frame()
  let longest = 0
  for (let last = start; last < start + span;) {
    each((last - start) / span)
    const now = await frame()
    longest = Math.max(longest, now - last)
    last = now
  }
  return longest
}

/** The panel with one tab, once it shows what there is. */
async function open(client: Client, pane: DevtoolsPane): Promise<{ root: ShadowRoot; close(): void }> {
  const place = document.createElement('div')
  place.style.height = '600px'
  document.body.append(place)
  const unmount = mountDevtools(place, client, { panes: [pane] })
  const root = (): ShadowRoot | null => place.querySelector('intab-devtools')?.shadowRoot ?? null
  const isReady = (): boolean => /^\d+ of \d+$/.test(root()?.querySelector('.count')?.textContent ?? '')
  while (!isReady()) await frame()
  return {
    root: root() as ShadowRoot,
    close() {
      unmount()
      place.remove()
    }
  }
}

export async function devtoolsRaces({ devtools: { tasks, running, span } }: Scale): Promise<Race[]> {
  const longestFrame = (each?: (part: number) => void): Promise<number> => longestFrameOf(span, each)
  const server = new Server('devtools', 'bench-devtools')
  const client = await server.connect()
  await fill(server.database, tasks)
  const count = running * 10
  let heard = 0
  await watchTasks(client, { ontask: () => (heard += 1) })

  /** Tasks that report ten times a second each, while it runs. */
  const reporting = async <T>(act: () => Promise<T>): Promise<T> => {
    const runs = await Promise.all(Array.from({ length: running }, () => runTask(client, { name: 'report' })))
    try {
      return await act()
    } finally {
      await Promise.all(runs.map(({ taskId }) => server.side('release', taskId)))
      await Promise.all(runs.map((run) => run.result()))
    }
  }
  /** Tasks that begin and end, each of which is two events of the worker, while it runs. */
  const living = async <T>(act: () => Promise<T>): Promise<T> => {
    let isOver = false
    const live = async (): Promise<void> => {
      while (!isOver) {
        const lives = Array.from({ length: Math.max(1, Math.round(count / 40)) }, () =>
          runTask(client, { name: 'instant' })
        )
        await Promise.all([...lives, new Promise((resolve) => setTimeout(resolve, 50))])
      }
    }
    const lived = live()
    try {
      return await act()
    } finally {
      isOver = true
      await lived
    }
  }
  const shown = async (pane: DevtoolsPane, act: (root: ShadowRoot) => Promise<number>): Promise<number> => {
    const { root, close } = await open(client, pane)
    try {
      return await act(root)
    } finally {
      close()
    }
  }
  const race = { unit: 'ms', goal: { atMost: 1 }, rounds: 5, batch: 1, floor: async () => limit }
  const words = `longest frame with devtools, at ${count} events a second`
  return [
    {
      ...race,
      name: `longest frame while ${tasks} tasks are scrolled through in devtools`,
      ours: () =>
        shown('tasks', (root) => {
          const list = root.querySelector('.list')
          return longestFrame((part) => {
            if (list !== null) list.scrollTop = part * list.scrollHeight
          })
        })
    },
    {
      ...race,
      name: `${words}, among ${tasks} tasks`,
      ours: () => reporting(() => shown('tasks', () => longestFrame()))
    },
    { ...race, name: `${words}, in the worker's log`, ours: () => living(() => shown('worker', () => longestFrame())) },
    {
      ...race,
      name: `${words}, recorded as messages`,
      ours: () =>
        reporting(() =>
          shown('messages', (root) => {
            root.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
            return longestFrame()
          })
        )
    },
    {
      ...race,
      name: 'the same: events that came in a second',
      unit: 'each',
      goal: { atLeast: 0.8 },
      floor: async () => count,
      ours: () =>
        reporting(async () => {
          heard = 0
          const took = await timed(() => longestFrame())()
          return (heard * 1000) / took
        })
    }
  ]
}
