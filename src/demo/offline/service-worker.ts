// Keeps the whole page in a cache, so that it works without its server: https://developer.chrome.com/docs/workbox/modules/workbox-precaching

import { cleanupOutdatedCaches, getCacheKeyForURL, precacheAndRoute } from 'workbox-precaching'
import type { Message, ServiceWorkerScope } from './scope.js'

// The build puts the list of files with their hashes here.
declare const PRECACHE: { url: string; revision: string | null }[]

const scope = globalThis as unknown as ServiceWorkerScope
const switches = 'intab-board:switches'
const off = new URL('network-off', scope.registration.scope).href

/** A service worker is ended whenever it is idle, so what it is told must be stored. */
async function setNetwork(listen: boolean): Promise<void> {
  const cache = await caches.open(switches)
  if (listen) await cache.delete(off)
  else await cache.put(off, new Response('off'))
}

async function fromNetwork(request: Request): Promise<Response> {
  const isOff = await (await caches.open(switches)).match(off)
  return isOff ? Response.error() : fetch(request)
}

/** Whether the cache holds it; a folder stands for its index.html. */
function isKept({ url }: Request): boolean {
  const { origin, pathname } = new URL(url)
  return getCacheKeyForURL(origin + pathname.replace(/\/$/, '/index.html')) !== undefined
}

// Whoever responds first rules, so this stands before the route of the cache.
scope.addEventListener('fetch', (event) => {
  if (!isKept(event.request)) event.respondWith(fromNetwork(event.request))
})
precacheAndRoute(PRECACHE)
cleanupOutdatedCaches()

// The first version serves the page that installed it; a later one waits until the person lets it.
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('message', (event) => {
  const { network, activate } = event.data as Message
  const done = activate ? scope.skipWaiting() : network === undefined ? undefined : setNetwork(network)
  event.waitUntil(Promise.resolve(done).then(() => event.source?.postMessage('done')))
})
