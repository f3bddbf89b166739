// The tab Messages: the JSON-RPC between this client and its server, both ways, while it is recorded.

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { toError } from '../../errors.js'
import { checkbox, h } from '../dom.js'
import { type Line, LogView } from '../log-view.js'
import type { Pane } from '../pane.js'
import { tap, type Way } from '../tap.js'
import { brief, duration } from '../words.js'
import type { ConnectedClient } from '../../protocol/connected-client.js'

const sorts = { '': 'every message', call: 'requests and answers', notification: 'notifications', error: 'errors' }

interface MessageLine extends Line {
  sort: string
}

/** Makes lines of messages. An answer says what was asked, and how long that took. */
function newReader(): (way: Way, message: JSONRPCMessage) => MessageLine {
  const open = new Map<string, { method: string; at: number }>()
  let n = 0
  return (way, message) => {
    const line = { n: ++n, at: Date.now(), kind: way, whole: message }
    if ('method' in message) {
      const { method, params } = message
      if (!('id' in message)) return { ...line, sort: 'notification', text: `${method} ${brief(params ?? '')}` }
      open.set(`${way} ${message.id}`, { method, at: performance.now() })
      return { ...line, sort: 'call', text: `${method} #${message.id} ${brief(params ?? '')}` }
    }
    const key = `${way === 'sent' ? 'received' : 'sent'} ${message.id}`
    const asked = open.get(key)
    open.delete(key)
    const took = asked === undefined ? '' : ` in ${duration(Math.round((performance.now() - asked.at) * 10) / 10)}`
    const [sort, word, rest] =
      'error' in message ? ['error', 'error', message.error] : ['call', 'result', message.result]
    return { ...line, sort, text: `${asked?.method ?? 'answer'} #${message.id} ${word}${took} ${brief(rest)}` }
  }
}

export function messagesPane(client: ConnectedClient): Pane {
  const trouble = h('p', { class: 'trouble', role: 'alert', hidden: '' })
  const onerror = (error: unknown): void => {
    trouble.textContent = toError(error).message
    trouble.hidden = false
  }
  let stop: (() => void) | undefined
  const record = checkbox('Record', () => {
    stop?.()
    stop = undefined
    if (!record.input.checked) return
    const read = newReader()
    stop = tap(client, { heard: (way, message) => log.add([read(way, message)]) })
  })
  const options = Object.entries(sorts).map(([value, text]) => h('option', { value }, text))
  const sort = h('select', { 'aria-label': 'Kind' }, ...options)
  sort.addEventListener('input', () => log.filter((line) => sort.value === '' || line.sort === sort.value))
  const log: LogView<MessageLine> = new LogView(
    { label: 'Messages', empty: 'Tick "Record" to see what the client and its server say.', onerror },
    record.element,
    sort
  )
  return {
    element: h('div', { class: 'worker' }, trouble, log.element),
    close() {
      stop?.()
      log.close()
    }
  }
}
