// What an app loads at once. The panel itself comes when it is mounted: in Node, or never opened, it costs nothing.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { IntabError, toError } from '../errors.js'

/** Options of `mountDevtools`. */
export interface DevtoolsOptions {
  /** Default `auto`, which follows the system. */
  theme?: 'auto' | 'light' | 'dark'
}

const themes = ['auto', 'light', 'dark']

/**
 * Shows the devtools inside an element: the tasks that the client sees, as a list and each as a picture. They fill the
 * element, which needs a height; their styles stay in a shadow root. The client may connect later. Returns the way to
 * remove them. Throws `invalid_options` for an unknown theme.
 */
export function mountDevtools(
  element: Element | ShadowRoot,
  client: Client,
  { theme = 'auto' }: DevtoolsOptions = {}
): () => void {
  if (!themes.includes(theme)) {
    throw new IntabError('invalid_options', `theme must be one of ${themes.join(', ')} (got ${theme})`)
  }
  let panel: Node | undefined
  let isGone = false
  const show = (shown: Node): void => {
    panel = shown
    if (!isGone) element.append(shown)
  }
  import('./panel.js').then(
    ({ newPanel }) => show(newPanel(client, theme)),
    (error: unknown) => show(document.createTextNode(`The devtools could not be loaded: ${toError(error).message}`))
  )
  return () => {
    isGone = true
    panel?.parentNode?.removeChild(panel)
  }
}
