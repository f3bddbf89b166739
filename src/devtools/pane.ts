// What a tab of the panel is to the panel.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'

/** A part of the panel. It works from when it is opened until it is closed, and costs nothing before and after. */
export interface Pane {
  element: HTMLElement
  close(): void
}

export type OpenPane = (client: Client) => Pane
