// A handler that runs for too long loses its task, and its place among the unfinished ones.

import { IntabError } from '../errors.js'
import { after } from '../time.js'

/** Rejects with `timeout` when the handler has not ended after so many milliseconds. What it still does has no effect. */
export async function limitRun<T>(tool: string, ms: number | undefined, run: () => Promise<T>): Promise<T> {
  if (ms === undefined) return run()
  let stop = (): void => undefined
  const over = new Promise<never>((_, reject) => {
    stop = after(ms, () =>
      reject(new IntabError('timeout', `Tool ${tool} ran longer than its maxRun of ${ms} ms, and was stopped`))
    )
  })
  return Promise.race([run(), over]).finally(stop)
}
