// The tab Acts: the faults that tools must survive, each at the press of a button.

import { ask, type ConnectedClient } from '../../protocol/connected-client.js'
import { hasCode, RPC } from '../../errors.js'
import { pause } from '../../time.js'
import { h } from '../dom.js'
import type { Pane, PaneOptions } from '../pane.js'
import { tap } from '../tap.js'
import { shortName } from '../words.js'
import { readWorker } from '../worker/read-worker.js'
import { type Act, actCard } from './act.js'
import { fillStorage } from './fill-storage.js'
import { compare, survey, type Survey } from './survey.js'

const killWorker = (client: ConnectedClient): Act => ({
  title: 'The worker dies',
  description: 'Ends the worker with self.close(). Every tab finds the next one by itself, and what can resume does.',
  label: 'Kill the worker',
  async run(_, signal) {
    const before = await survey(client)
    const generation = async (): Promise<string> => (await readWorker(client, { log: [] })).worker
    const worker = await generation()
    const start = performance.now()
    await ask(client, 'intab/worker/stop').catch((error: unknown) => {
      // It may end before its answer is here.
      if (!hasCode(error, RPC.workerGone)) throw error
    })
    // A reading that comes too late for this worker is answered by the next.
    let next = await generation()
    for (; next === worker; next = await generation()) await pause(20, signal)
    const ms = Math.round(performance.now() - start)
    return [
      `Worker ${shortName(worker)} is gone; ${shortName(next)} serves after ${ms} ms.`,
      ...compare(before, await survey(client))
    ]
  }
})

function dropConnection(client: ConnectedClient, connect: () => Promise<void>): Act {
  let before: Survey | undefined
  return {
    title: 'This tab drops out',
    description: 'Closes the connection of this tab. Tasks go on without it. Press again to come back.',
    label: 'Drop or restore the connection',
    async run() {
      if (client.transport !== undefined) {
        before = await survey(client)
        await client.close()
        return ['This tab is disconnected. Other tabs and all tasks go on.']
      }
      await connect()
      const lines = before === undefined ? [] : compare(before, await survey(client))
      return ['Connected again.', ...lines]
    }
  }
}

function freezeAnswers(client: ConnectedClient, closing: AbortSignal): Act {
  const waiting: (() => void)[] = []
  let stop: (() => void) | undefined
  const release = (): number => {
    stop?.()
    stop = undefined
    const released = waiting.splice(0)
    for (const go of released) go()
    return released.length
  }
  closing.addEventListener('abort', release)
  return {
    title: 'This tab does not answer',
    description:
      'Holds back what this tab answers to the server, as a page does that hangs. Its questions stay open; other tabs ' +
      'can take them over. Press again to let the answers go.',
    label: 'Freeze or release the answers',
    async run() {
      if (stop !== undefined) return [`Answers go out again; ${release()} waited.`]
      stop = tap(client, {
        hold: (message) =>
          'method' in message && message.method !== 'tasks/update'
            ? undefined
            : new Promise((resolve) => waiting.push(resolve))
      })
      return ['No answer of this tab reaches the server now.']
    }
  }
}

export function actsPane(client: ConnectedClient, { acts = [], connect }: PaneOptions): Pane {
  const closing = new AbortController()
  const { signal } = closing
  const all = [
    killWorker(client),
    ...(connect === undefined ? [] : [dropConnection(client, connect)]),
    freezeAnswers(client, signal),
    fillStorage(client),
    ...acts
  ]
  return {
    element: h('div', { class: 'cards acts' }, ...all.map((act) => actCard(act, signal))),
    close: () => closing.abort()
  }
}
