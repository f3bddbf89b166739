// Turns of the event loop instead of time: whatever works without a timer is done after some of them.

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Resolves with the promise's value, or with 'hung' when it is still pending after so many turns. */
export async function settledWithin<T>(promise: Promise<T>, turns = 400): Promise<T | 'hung'> {
  let done = false
  const end = (): void => {
    done = true
  }
  promise.then(end, end)
  for (let i = 0; i < turns && !done; i++) await turn()
  return done ? promise : 'hung'
}
