// What an app loads at once. The panel itself comes when it is mounted: in Node, or never opened, it costs nothing.

import { IntabError, toError } from '../errors.js'
import type { Act } from './acts/act.js'
import type { DevtoolsPane } from './pane.js'
import type { ConnectedClient } from '../protocol/connected-client.js'

const themes = ['auto', 'light', 'dark'] as const
const paneNames: readonly DevtoolsPane[] = ['tasks', 'questions', 'worker', 'messages', 'acts']

/** Options of `mountDevtools`. */
export interface DevtoolsOptions {
  /** Default `auto`, which follows the system. */
  theme?: (typeof themes)[number]
  /** The tabs that are shown, in this order. Default all: `tasks`, `questions`, `worker`, `messages`, `acts`. */
  panes?: readonly DevtoolsPane[]
  /** Faults of the app's own, for the tab Acts. */
  acts?: readonly Act[]
  /** Connects the client again, with a transport of its own making. With it, the tab Acts can drop the connection. */
  connect?(): Promise<void>
}

function check(what: string, given: unknown, known: readonly unknown[]): void {
  if (known.includes(given)) return
  throw new IntabError('invalid_options', `${what} must be one of ${known.join(', ')} (got ${String(given)})`)
}

/**
 * Shows the devtools inside an element: the tasks that the client sees, as a list and each as a picture. They fill the
 * element, which needs a height; their styles stay in a shadow root. The client may connect later. Returns the way to
 * remove them. Throws `invalid_options` for an unknown theme or pane.
 */
export function mountDevtools(
  element: Element | ShadowRoot,
  client: ConnectedClient,
  { theme = 'auto', panes = paneNames, acts, connect }: DevtoolsOptions = {}
): () => void {
  check('theme', theme, themes)
  for (const pane of panes) check('panes', pane, paneNames)
  let panel: Node | undefined
  let isGone = false
  const show = (shown: Node): void => {
    panel = shown
    if (!isGone) element.append(shown)
  }
  import('./panel.js').then(
    ({ newPanel }) => show(newPanel(client, { theme, panes, acts, connect })),
    (error: unknown) => show(document.createTextNode(`The devtools could not be loaded: ${toError(error).message}`))
  )
  return () => {
    isGone = true
    panel?.parentNode?.removeChild(panel)
  }
}
