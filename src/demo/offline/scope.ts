// The part of a service worker's scope that ours uses: the compiler's library of pages knows none.

export interface Message {
  /** False: ask nobody any more. */
  network?: boolean
  /** The person wants the new version now. */
  activate?: boolean
}

interface LivingEvent extends Event {
  waitUntil(done: Promise<unknown>): void
}

interface FetchEvent extends LivingEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

type ToldEvent = LivingEvent & {
  readonly data: unknown
  readonly source: { postMessage(message: unknown): void } | null
}

export interface ServiceWorkerScope {
  readonly registration: ServiceWorkerRegistration
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'activate', listener: (event: LivingEvent) => void): void
  addEventListener(type: 'message', listener: (event: ToldEvent) => void): void
}
