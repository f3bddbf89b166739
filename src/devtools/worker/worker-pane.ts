// The tab Worker: who it is, who is connected, what is stored, and what happens in it while the tab is open.

import { toError } from '../../errors.js'
import { checkbox, type Fact, h, newFacts } from '../dom.js'
import { type Line, LogView } from '../log-view.js'
import type { Pane } from '../pane.js'
import { bytes, clock, duration, shortName } from '../words.js'
import { type LogEntry, readWorker, type WorkerInfo } from './read-worker.js'
import type { ConnectedClient } from '../../protocol/connected-client.js'

/** Milliseconds between two readings. */
const pace = 500
/** What is stored is counted once in so many readings: that takes time. */
const countEvery = 6

let lines = 0

const lineOf = (entry: LogEntry): Line => {
  const { at, type, text = '', tool = '', status = '', taskId = '', connection = '' } = entry
  const words = [tool, status, text, taskId, connection === '' ? '' : `connection ${connection}`]
  return { n: ++lines, at, kind: type, text: words.filter(Boolean).join(' · '), whole: entry }
}

export function workerPane(client: ConnectedClient): Pane {
  const trouble = h('p', { class: 'trouble', role: 'alert', hidden: '' })
  const about = newFacts()
  const connections = newConnections()
  const storage = newFacts()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  let reading = 0

  const fail = (error: unknown): void => {
    trouble.textContent = toError(error).message
    trouble.hidden = false
  }
  const listen = checkbox('Console', () => undefined)
  const log = new LogView<Line>(
    { label: 'Log of the worker', empty: 'Nothing has happened yet.', onerror: fail },
    listen.element
  )

  const read = async (): Promise<void> => {
    const told = await readWorker(client, {
      log: ['events', ...(listen.input.checked ? ['console' as const] : [])],
      storage: reading % countEvery === 0
    })
    if (isClosed) return
    reading += 1
    trouble.hidden = true
    listen.input.disabled = told.isShared
    listen.element.title = told.isShared ? 'This worker serves several owners, and keeps its console to itself' : ''
    about.show(factsOf(told, client))
    connections.show(told)
    if (told.storage !== undefined) storage.show(stored(told.storage))
    log.add(told.log.entries.map(lineOf), told.log.dropped)
  }
  const go = (): void => {
    read()
      .catch((error: unknown) => {
        if (!isClosed) fail(error)
      })
      .finally(() => {
        if (!isClosed) timer = setTimeout(go, pace)
      })
  }
  go()
  return {
    element: h('div', { class: 'worker' }, trouble, about.element, connections.element, storage.element, log.element),
    close() {
      isClosed = true
      clearTimeout(timer)
      log.close()
      // Nobody reads any more: nothing need be kept.
      readWorker(client, { log: [] }).catch(() => undefined)
    }
  }
}

function factsOf(told: WorkerInfo, { transport }: ConnectedClient): Fact[] {
  const { kind } = (transport ?? {}) as { kind?: string }
  const others = told.workers.filter((lock) => lock !== told.lock).map(shortName)
  return [
    ['Server', `${told.name} ${told.version}`],
    ['Runs in', kind ?? 'a process'],
    ['Generation', told.worker],
    ['Since', `${clock(told.since, 'short')}, ${duration(Date.now() - told.since)} ago`],
    ['Lock', `${told.lock}, held by ${told.workers.includes(told.lock) ? 'this worker' : 'nobody'}`],
    ['Other workers', others.join(', ') || 'none'],
    ['Runs', String(told.runs)],
    ['Waiters', String(told.waiters)],
    ['Connections', `${told.connections}${told.isShared ? `, ${told.sessions.length} of this owner` : ''}`]
  ]
}

function newConnections(): { element: HTMLElement; show(told: WorkerInfo): void } {
  const row = (cell: 'th' | 'td', ...texts: string[]): HTMLElement =>
    h('tr', {}, ...texts.map((text) => h(cell, {}, text)))
  const table = h('table', { 'aria-label': 'Connections' })
  let shown = ''
  return {
    element: h('details', { open: '' }, h('summary', {}, 'Connections'), table),
    show({ sessions }) {
      const text = JSON.stringify(sessions)
      if (text === shown) return
      shown = text
      const rows = sessions.map(({ session, connection, here, can, questions, watches }) =>
        row(
          'td',
          `${shortName(session)}${here ? ', this tab' : ''}`,
          shortName(connection),
          can.join(', ') || 'nothing',
          `${questions} ${questions === 1 ? 'question' : 'questions'}`,
          watches ? 'yes' : 'no'
        )
      )
      table.replaceChildren(row('th', 'Session', 'Connection', 'Can answer', 'Shows', 'Watches'), ...rows)
    }
  }
}

function stored({ rows = {}, usage, quota, next }: NonNullable<WorkerInfo['storage']>): Fact[] {
  const used = usage === undefined ? 'not told' : `${bytes(usage)} of ${quota === undefined ? '?' : bytes(quota)}`
  const due = next.map(
    ({ tool, taskId, expiresAt }) => `${tool} ${taskId.slice(0, 8)} in ${duration(expiresAt - Date.now())}`
  )
  const counts = Object.entries(rows).map(([store, count]): Fact => [store, String(count)])
  return [['Storage', used], ...counts, ['Expires next', due.join(', ') || 'nothing of yours']]
}
