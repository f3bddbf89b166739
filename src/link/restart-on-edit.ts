// During development, ends a worker whose code was edited, for bundlers that neither rename nor replace it.

/** Milliseconds between two looks. */
const pause = 1_000

/** How the browser says that it loaded a script of a worker: https://w3c.github.io/resource-timing/ */
const scripts = new Set(['other', 'script'])

/** webpack and Rspack write the hash of the whole build into a script, which an edit of the page changes as well. */
const buildHash = /\.h = \(\) => \("\w+"\)/

/**
 * Ends this worker once one of its scripts has changed on the server, so that the tabs reconnect to a new one. It fetches
 * the scripts every second. Call it at the top level of the worker, and in development only:
 * `if (process.env.NODE_ENV === 'development') restartOnEdit()`. Outside a worker it does nothing.
 *
 * For bundlers that serve an edited worker under the same URL: Next, webpack, Rspack. With Vite use `intab/vite` instead.
 */
export function restartOnEdit(): void {
  if (!('WorkerGlobalScope' in globalThis)) return
  const urls = new Set([location.href])
  const texts = new Map<string, string>()
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByType('resource')) {
      if (scripts.has((entry as PerformanceResourceTiming).initiatorType)) urls.add(entry.name)
    }
  }).observe({ type: 'resource', buffered: true })

  const hasChanged = async (url: string): Promise<boolean> => {
    const response = await fetch(url, { cache: 'no-store' })
    if (!response.ok) return false
    const [before, text] = [texts.get(url), (await response.text()).replace(buildHash, '')]
    texts.set(url, text)
    return before !== undefined && before !== text
  }
  const look = async (): Promise<void> => {
    const looks = await Promise.allSettled([...urls].map(hasChanged))
    // A look that failed says nothing: the dev server may be restarting.
    if (looks.some((each) => each.status === 'fulfilled' && each.value)) globalThis.close()
  }
  look().catch(reportError)
  setInterval(() => {
    look().catch(reportError)
  }, pause)
}
