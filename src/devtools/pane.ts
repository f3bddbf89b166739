// What a tab of the panel is to the panel.

import type { Act } from './acts/act.js'
import type { ConnectedClient } from '../protocol/connected-client.js'

/** A tab of the devtools. */
export type DevtoolsPane = 'tasks' | 'questions' | 'worker' | 'messages' | 'acts'

/** A part of the panel. It works from when it is opened until it is closed, and costs nothing before and after. */
export interface Pane {
  element: HTMLElement
  close(): void
}

/** What an app gives to the panes. */
export interface PaneOptions {
  acts?: readonly Act[] | undefined
  connect?: (() => Promise<void>) | undefined
}

export type OpenPane = (client: ConnectedClient, options: PaneOptions) => Pane
