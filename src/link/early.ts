// A worker's script may await something before it calls serve(). The browser tells of each tab once, so whatever comes
// earlier is kept from the moment that this module runs.
// https://html.spec.whatwg.org/multipage/workers.html#dom-sharedworker

/** How long a tab may wait before the worker's console says what it waits for; milliseconds. */
const patience = 5_000

/** Of a shared worker these are its tabs; of a dedicated one, what its page says to it. */
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

/** What came before somebody listened, to whom the rest is left. */
export function earlier(scope: object): Event[] {
  if (type === undefined || scope !== globalThis) return []
  globalThis.removeEventListener(type, keep)
  clearTimeout(warning)
  return waiting.splice(0)
}
