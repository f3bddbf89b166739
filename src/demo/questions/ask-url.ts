import type { ElicitRequestURLParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { h } from '../dom.js'
import { cancel, decline } from './ask-form.js'
import type { DialogContent } from './dialogs.js'

/** The address, if it is one that a browser opens as a page. */
function pageOf(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined
}

/** What a person should know before they go there. */
function warningsFor({ protocol, hostname, username }: URL): string[] {
  return [
    ...(protocol === 'http:' ? ['The connection to this page is not secure.'] : []),
    // A host in letters of another script may look like one that you know.
    ...(hostname.split('.').some((part) => part.startsWith('xn--')) ? ['This host is written in another script.'] : []),
    ...(username === '' ? [] : ['What stands before the @ is no part of the host.'])
  ]
}

/**
 * An elicitation by URL. Shows where it leads, and opens it only when the person says so; the page learns nothing before:
 * https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#safe-url-handling
 */
export function urlDialog(params: ElicitRequestURLParams): DialogContent<ElicitResult> {
  const url = pageOf(params.url)
  const others = [cancel, decline]
  if (url === undefined) {
    const text = h('p', {}, 'The server wants to send you to what is no web page: ', h('code', {}, params.url))
    return {
      title: params.message,
      body: [text],
      submit: { label: 'Refuse', answer: decline.answer },
      others: [cancel],
      dismissed: cancel.answer()
    }
  }
  const open = (): ElicitResult => {
    window.open(url.href, '_blank', 'noopener,noreferrer')
    return { action: 'accept' }
  }
  return {
    title: params.message,
    body: [
      h('p', { class: 'host' }, url.host),
      h('p', { class: 'hint' }, h('code', {}, url.href)),
      ...warningsFor(url).map((text) => h('p', { class: 'warning' }, text)),
      h('p', { class: 'hint' }, 'Opens in a new tab. What you do there goes to that page, not through this one.')
    ],
    submit: { label: `Open ${url.host}`, answer: open },
    others,
    dismissed: cancel.answer()
  }
}
