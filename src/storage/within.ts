import { IntabError } from '../errors.js'

/** Rejects with `storage_busy` when the work takes longer than `ms`: a browser may hang. The signal tells the work. */
export function within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>, who = 'The database'): Promise<T> {
  const late = new AbortController()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new IntabError('storage_busy', `${who} did not answer within ${ms} ms: try again`)
      late.abort(error)
      reject(error)
    }, ms)
    void work(late.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
