// Each browser starts, and what it has is on the console: docs/browsers.md tells of it.
import { expect, test } from './fixtures.js'

test('the browser starts, and has what intab needs', async ({ open, target }) => {
  const tab = await open()
  const facts = await tab.run(async () => {
    // TypeScript takes all of it for given.
    const { storage, locks } = navigator as Partial<Navigator>
    const estimate = await storage?.estimate?.()
    return {
      SharedWorker: typeof SharedWorker !== 'undefined',
      locks: locks !== undefined,
      indexedDB: typeof indexedDB !== 'undefined',
      BroadcastChannel: typeof BroadcastChannel !== 'undefined',
      persisted: (await storage?.persisted?.()) ?? 'not there',
      quota: estimate?.quota ?? 'not there',
      getDirectory: typeof storage?.getDirectory === 'function',
      secure: isSecureContext,
      agent: navigator.userAgent
    }
  })
  console.log(`${target}: ${JSON.stringify(facts)}`)
  expect(facts).toMatchObject({ locks: true, indexedDB: true, BroadcastChannel: true, secure: true })
})
