// JSON as people read it: indented, keys and values in colours, every piece a text node.

import { h } from './dom.js'

const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g

/** The text of a value, or its cut-off beginning where nobody would read on. */
const most = 20_000

export function json(value: unknown, label: string): HTMLPreElement {
  const all = JSON.stringify(value, null, 2) ?? 'undefined'
  const text = all.length > most ? `${all.slice(0, most)}\n… ${all.length - most} more characters` : all
  const pre = h('pre', { tabindex: 0, role: 'region', 'aria-label': label })
  let at = 0
  for (const match of text.matchAll(tokens)) {
    const [whole, string, colon = ''] = match
    const token = string ?? whole
    const kind = string === undefined ? 'other' : colon === '' ? 'text' : 'key'
    pre.append(text.slice(at, match.index), h('span', { class: kind }, token), colon)
    at = match.index + whole.length
  }
  pre.append(text.slice(at))
  return pre
}
