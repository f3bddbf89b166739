// The bridge's core against a server in Node: everything but the browser is real.

import { onTestFinished } from 'vitest'
import { openHttpBridge, type HttpBridgeOptions } from '../../src/bridge/http-bridge.js'
import { defaultMaxMessage } from '../../src/http/frame.js'
import type { PageSide } from '../../src/bridge/http-session.js'
import type { World } from './world.js'

/** A connection as PageTransport makes one: it can be left, and gone on with. */
export function pageSide(world: World): PageSide {
  const page = new EventTarget()
  const { transport } = world.transport({ page })
  return Object.assign(transport, {
    suspend: () => void page.dispatchEvent(new Event('pagehide')),
    resume: () => void page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  })
}

export interface WorldBridge {
  url: string
  errors: Error[]
  close(): Promise<void>
}

/** Listens until the test ends; `errors` has what the bridge reports. */
export async function worldBridge(world: World, options: Partial<HttpBridgeOptions> = {}): Promise<WorldBridge> {
  const errors: Error[] = []
  const bridge = await openHttpBridge({
    connect: () => pageSide(world),
    host: '127.0.0.1',
    port: 0,
    token: undefined,
    origins: [],
    maxMessage: defaultMaxMessage,
    onerror: (error) => errors.push(error),
    ...options
  })
  onTestFinished(() => bridge.close())
  return { url: bridge.url, errors, close: () => bridge.close() }
}
