// The page's side of one connection to one worker, from the knock at its door to the end of either.

import { type ProxyMethods, releaseProxy, transfer, wrap } from 'comlink'
import type { JSONRPCRequest, JSONRPCResponse } from '@modelcontextprotocol/sdk/types.js'
import { IntabError, toError } from '../errors.js'
import type { Json, Locks } from '../types.js'
import { Attempt, drain, pause } from './attempt.js'
import { Endpoint } from './endpoint.js'
import type { Door, Hello, Welcome } from './front-door.js'
import { isResponse } from './json-rpc.js'
import type { Host } from './make-worker.js'
import { PortTransport } from './port-transport.js'
import { workerGone } from './reasons.js'
import { fromWireError } from './wire-error.js'

/** A worker shows a sign of life within this time, or the try has failed; milliseconds. */
export const signOfLife = 5_000
/** Then it may open its storage, whose own deadline is shorter; milliseconds. */
export const patience = 15_000

export interface WorkerLink {
  transport: PortTransport
  welcome: Welcome
  kind: Host['kind']
  /** Sends a request of the link's own; rejects when the link ends first. */
  ask(method: string, params: JSONRPCRequest['params']): Promise<JSONRPCResponse>
}

export interface Meeting {
  /** Ends the try. */
  signal: AbortSignal
  /** How long the worker may show no sign of life; milliseconds. */
  silence: number
  /** Told of what the worker fails with once it is connected. */
  onerror(error: Error): void
}

/** True for a worker that showed no sign of life, which may be due to the name it was found under. */
export const wasSilent = (error: unknown): boolean =>
  error instanceof IntabError && error.code === 'worker_failed' && error.data === 'silent'

/**
 * Knocks at once, and greets when the page knows who it is. Comes with a transport that is not started. Rejects with
 * `worker_failed`, what the worker refused with, what the hello rejects with, or the signal's reason. The link ends with `worker_gone` when the worker's lock comes free.
 */
export async function openLink(
  host: Host,
  hello: Promise<Hello>,
  locks: Locks,
  { signal, silence, onerror }: Meeting
): Promise<WorkerLink> {
  const attempt = new Attempt(signal)
  const door = new Endpoint(host.door)
  const { port1, port2 } = new MessageChannel()
  const transport = new PortTransport(port1)
  let entered = false
  const failed = (event: Event): void => {
    const { message } = event as Partial<ErrorEvent>
    const what = message ? `: ${message}` : ''
    // Firefox tells a page of every error that goes uncaught in its worker, which lives on.
    if (entered) onerror(new IntabError('worker_failed', `Uncaught error in the worker, which goes on${what}`))
    else attempt.fail(new IntabError('worker_failed', `The worker failed${what}.`))
  }
  host.events.addEventListener('error', failed)
  transport.signal.addEventListener('abort', () => {
    host.events.removeEventListener('error', failed)
    host.end()
  })
  try {
    const welcome = await enter(door, attempt, port2, hello, locks, silence)
    entered = true
    host.entered()
    const gone = (cause?: unknown): void => transport.end(workerGone(cause))
    locks
      .free(welcome.lock, transport.signal)
      .then(() => pause(drain, transport.signal, locks))
      .then(() => gone(), gone)
    return { transport, welcome, kind: host.kind, ask: asking(transport) }
  } catch (error) {
    transport.end(new IntabError('worker_failed', 'The worker did not connect', undefined, { cause: error }))
    throw error
  }
}

async function enter(
  endpoint: Endpoint,
  attempt: Attempt,
  port: MessagePort,
  hello: Promise<Hello>,
  locks: Locks,
  silence: number
): Promise<Welcome> {
  const door = wrap<Door>(endpoint)
  const { knock, open } = door
  const failAfter = (milliseconds: number, message: string, data: Json): void =>
    attempt.after(milliseconds, () => attempt.fail(new IntabError('worker_failed', message, data)), locks)
  failAfter(silence, 'The worker does not respond.', 'silent')
  const gone = (cause?: unknown): void => attempt.fail(workerGone(cause))
  const knocked = knock().then((answer) => {
    if ('error' in answer) throw fromWireError(answer.error)
    failAfter(
      patience,
      'The worker responds, but accepts no connection: its storage, `owner` or `setup` may hang.',
      'busy'
    )
    locks.free(answer.lock, attempt.signal).then(() => gone(), gone)
  })
  const greet = async (): ReturnType<Door['open']> => {
    const known = await hello
    try {
      return await open(transfer(port, [port]), known)
    } catch (cause) {
      throw new IntabError('not_json', `The data for the worker cannot be sent: ${toError(cause).message}`, undefined, {
        cause
      })
    }
  }
  try {
    const [answer] = await attempt.settle(Promise.all([greet(), knocked]))
    if ('error' in answer) throw fromWireError(answer.error)
    return answer.welcome
  } finally {
    // Whoever else uses the host of a dedicated worker must still find its door.
    endpoint.detach()
    release(endpoint, [door, knock, open])
  }
}

function asking(transport: PortTransport): WorkerLink['ask'] {
  const waiting = new Map<string, (response: JSONRPCResponse) => void>()
  transport.take = (message) => {
    const resolve = isResponse(message) && waiting.get(String(message.id))
    return resolve ? Promise.resolve(resolve(message)) : undefined
  }
  return (method, params) => {
    const id = `intab:${crypto.randomUUID()}`
    const response = new Promise<JSONRPCResponse>((resolve, reject) => {
      waiting.set(id, resolve)
      transport.send({ jsonrpc: '2.0', id, method, ...(params && { params }) }).catch(reject)
    })
    return new Attempt(transport.signal).settle(response).finally(() => waiting.delete(id))
  }
}

/**
 * Takes back all proxies of an endpoint, and detaches it; the peer is told once, unless it was detached before. Comlink makes
 * a proxy for every property that is read, and has the browser call back when one is collected. In a page that lies in the
 * back/forward cache that call is JavaScript, for which Chromium throws the page out of the cache
 * (https://web.dev/articles/bfcache). So each is made once, kept, and taken back by hand.
 */
function release(endpoint: Endpoint, proxies: readonly Pick<ProxyMethods, typeof releaseProxy>[]): void {
  for (const proxy of proxies) {
    proxy[releaseProxy]()
    endpoint.detach()
  }
}
