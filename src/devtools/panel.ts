// The custom element: a shadow root with the styles, the tabs, and the pane of the tab that is chosen.

import { actsPane } from './acts/acts-pane.js'
import { h } from './dom.js'
import { messagesPane } from './messages/messages-pane.js'
import type { DevtoolsPane, OpenPane, Pane, PaneOptions } from './pane.js'
import { questionsPane } from './questions/questions-pane.js'
import { style } from './style.js'
import { workerPane } from './worker/worker-pane.js'
import { tasksPane } from './tasks/tasks-pane.js'
import type { ConnectedClient } from '../protocol/connected-client.js'

const known: Record<DevtoolsPane, [title: string, open: OpenPane]> = {
  tasks: ['Tasks', tasksPane],
  questions: ['Questions', questionsPane],
  worker: ['Worker', workerPane],
  messages: ['Messages', messagesPane],
  acts: ['Acts', actsPane]
}

interface PanelOptions extends PaneOptions {
  theme: string
  panes: readonly DevtoolsPane[]
}

/** Makes the custom element, which works while it is in a document. */
export function newPanel(client: ConnectedClient, options: PanelOptions): HTMLElement {
  const name = 'intab-devtools'
  if (customElements.get(name) === undefined) customElements.define(name, class extends DevtoolsPanel {})
  const panel = document.createElement(name) as DevtoolsPanel
  panel.client = client
  panel.options = options
  panel.dataset['theme'] = options.theme
  return panel
}

class DevtoolsPanel extends HTMLElement {
  client: ConnectedClient | undefined
  options: PanelOptions | undefined
  #pane: Pane | undefined

  connectedCallback(): void {
    const { client, options } = this
    if (client === undefined || options === undefined) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    root.adoptedStyleSheets = [sheet]
    const body = h('div', { class: 'body', role: 'tabpanel' })
    const tabs = options.panes.map((name) => {
      const [title, open] = known[name]
      const tab = h('button', { role: 'tab', type: 'button' }, title)
      tab.addEventListener('click', () => choose(tab, open))
      return { tab, open }
    })
    const choose = (chosen: HTMLElement, open: OpenPane): void => {
      this.#pane?.close()
      for (const { tab } of tabs) {
        tab.ariaSelected = String(tab === chosen)
        tab.tabIndex = tab === chosen ? 0 : -1
      }
      this.#pane = open(client, options)
      body.setAttribute('aria-label', chosen.textContent ?? '')
      body.replaceChildren(this.#pane.element)
    }
    const bar = h(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': 'intab devtools' },
      ...tabs.map(({ tab }) => tab)
    )
    root.replaceChildren(bar, body)
    // https://www.w3.org/WAI/ARIA/apg/patterns/tabs/: the arrow keys move from tab to tab, the Tab key into the panel.
    bar.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (step === undefined) return
      event.preventDefault()
      const at = tabs.findIndex(({ tab }) => tab.ariaSelected === 'true')
      const next = tabs.at((at + step) % tabs.length)
      next?.tab.click()
      next?.tab.focus()
    })
    const [first] = tabs
    if (first !== undefined) choose(first.tab, first.open)
  }

  disconnectedCallback(): void {
    this.#pane?.close()
    this.#pane = undefined
  }
}
