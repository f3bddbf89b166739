// Comlink makes a proxy for every property that is read, and has the browser call back when one is collected. In a page
// that lies in the back/forward cache that call is JavaScript, for which Chromium throws the page out of the cache
// (https://web.dev/articles/bfcache). So each is made once, kept, and taken back by hand.

import { releaseProxy } from 'comlink'
import type { ProxyMethods } from 'comlink'
import type { Endpoint } from './endpoint.js'

/** Takes back all proxies of an endpoint, and detaches it; the peer is told once, unless it was detached before. */
export function release(endpoint: Endpoint, proxies: readonly Pick<ProxyMethods, typeof releaseProxy>[]): void {
  for (const proxy of proxies) {
    proxy[releaseProxy]()
    endpoint.detach()
  }
}
