// A worker's script may await something before it calls serve(). The browser fires one `connect` event per tab, so events
// that come earlier are kept from the moment that this module runs.
// https://html.spec.whatwg.org/multipage/workers.html#dom-sharedworker

/** Milliseconds that a tab may wait before the worker warns on its console. */
const patience = 5_000

/** The event to keep: a tab that connects to a SharedWorker, or a message of the page to a dedicated worker. */
const type = ((): 'connect' | 'message' | undefined => {
  if ('onconnect' in globalThis) return 'connect'
  return 'DedicatedWorkerGlobalScope' in globalThis ? 'message' : undefined
})()

const waiting: Event[] = []
let warning: ReturnType<typeof setTimeout> | undefined

const warn = (): void =>
  // oxlint-disable-next-line no-console -- nobody else can be told: the server does not exist yet
  console.warn(
    `intab: ${type === 'connect' ? 'a tab' : 'the page'} has waited ${patience / 1000} s for serve(). Call it in the ` +
      'first turn of the worker, and load what it needs in `setup` or in the tools'
  )

const keep = (event: Event): void => {
  waiting.push(event)
  warning ??= setTimeout(warn, patience)
}

if (type !== undefined) globalThis.addEventListener(type, keep)

/** Returns the events kept so far and stops keeping them: the caller listens from now on. */
export function earlier(scope: object): Event[] {
  if (type === undefined || scope !== globalThis) return []
  globalThis.removeEventListener(type, keep)
  clearTimeout(warning)
  return waiting.splice(0)
}
