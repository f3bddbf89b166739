// The panel that lets things go wrong: the package's own, with what only the board can do.

import type { Connection } from '../connection.js'
import { byId } from '../dom.js'
import { cutNetwork } from './cut-network.js'
import { startSecond } from './second-worker.js'

/** Shows the panel in its place; nothing of it is loaded before. */
export async function openWhatIf(connection: Connection): Promise<void> {
  const { mountDevtools } = await import('intab/devtools')
  mountDevtools(byId('devtools'), connection.client, {
    panes: ['acts', 'worker', 'messages'],
    acts: [startSecond(connection), cutNetwork()],
    connect: () => connection.connect()
  })
}
