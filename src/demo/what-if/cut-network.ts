// Without a network: the service worker answers from its cache alone.

import type { Act } from 'intab/devtools'
import type { Message } from '../offline/scope.js'

async function tell(message: Message): Promise<void> {
  const worker = navigator.serviceWorker?.controller
  if (!worker) throw new Error('This page is not served by its service worker yet: reload it once, then try again')
  const done = new Promise<void>((resolve) => {
    navigator.serviceWorker.addEventListener('message', () => resolve(), { once: true })
  })
  worker.postMessage(message)
  await done
}

const reaches = (path: string): Promise<boolean> =>
  fetch(path, { cache: 'no-store' }).then(
    () => true,
    () => false
  )

/** Stops and starts listening to the network. */
export function cutNetwork(): Act {
  let isCut = false
  return {
    title: 'The network is gone',
    description:
      'Tells the service worker to ask nobody any more. Reload the page: it is all there. Press again to listen.',
    label: 'Stop or start listening to the network',
    async run() {
      await tell({ network: isCut })
      isCut = !isCut
      const server = (await reaches('./anything-new')) ? 'answers' : 'is not reached'
      const page = (await reaches('./index.html')) ? 'is there' : 'is not there'
      return [
        isCut ? 'Only the cache is listened to now.' : 'The network is listened to again.',
        `The server ${server}; the page itself ${page}.`
      ]
    }
  }
}
