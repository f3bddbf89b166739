// A SharedWorker of the page, as Node's link code sees it: a port, and ports that go through it.

import type { AgentLink } from './agent-link.js'
import type { AgentCall, PortPlace, WorkerAddress } from './page-agent.js'

interface Calls extends Pick<AgentLink, 'add' | 'remove' | 'call'> {
  /** A message did not get through, and nobody knows whose it was. */
  fail(message: string): void
}

/** Stands for the port of a `new SharedWorker()` in the page; what is posted before it is open waits for it. */
class PagePort extends EventTarget {
  readonly #agent: Calls
  readonly #id: number

  constructor(agent: Calls, id: number) {
    super()
    this.#agent = agent
    this.#id = id
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    const ports: PortPlace[] = []
    const data = withoutPorts(message, [], (port, path) => ports.push({ path, id: this.#relay(port) }), transfer)
    this.#agent.call({ do: 'post', id: this.#id, data, ports })
  }

  close(): void {
    this.#agent.remove(this.#id)
  }

  /** The far end of a port of ours goes on in the page. */
  #relay(port: MessagePort): number {
    const agent = this.#agent
    const id = agent.add({
      event: (event) => {
        if (event.on === 'message') port.postMessage(event.data)
        else if (event.on === 'failed') agent.fail(event.message)
      },
      gone: () => port.close()
    })
    port.addEventListener('message', ({ data }) => agent.call({ do: 'post', id, data, ports: [] }))
    port.addEventListener('close', () => agent.remove(id))
    port.start()
    return id
  }
}

/** A copy in which every transferred port is null, and told with its place. */
function withoutPorts(
  value: unknown,
  path: (string | number)[],
  tell: (port: MessagePort, path: (string | number)[]) => void,
  transfer: Transferable[]
): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (transfer.includes(value as Transferable)) {
    tell(value as MessagePort, path)
    return null
  }
  if (Array.isArray(value)) return value.map((item, place) => withoutPorts(item, [...path, place], tell, transfer))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutPorts(item, [...path, key], tell, transfer)])
  )
}

/**
 * A browser refuses a SharedWorker with other options than those of the running one. Without first: where none runs
 * after all, it is made, and one that outlives its tabs would be in the way for longer.
 */
function waysTo(worker: WorkerAddress): WorkerAddress[] {
  if (worker.extendedLifetime !== undefined) return [worker]
  return [false, true].map((extendedLifetime) => ({ ...worker, extendedLifetime }))
}

export class PageWorker extends EventTarget {
  readonly port: PagePort
  readonly #agent: AgentLink
  readonly #id: number
  #address: WorkerAddress | undefined
  /** How it may have been made, first the way that is tried now; empty while its address is not known. */
  #ways: WorkerAddress[] = []
  /** What was posted, for as long as it may have to be posted again; undefined once the worker has answered. */
  #unanswered: AgentCall[] | undefined = []

  /**
   * `address` may wait for the app; its signal aborts when nobody needs the worker any more. What it leaves open is
   * tried out, and written into it.
   */
  constructor(agent: AgentLink, address: (signal: AbortSignal) => Promise<WorkerAddress>) {
    super()
    const waiting = new AbortController()
    const forget = (): void => waiting.abort()
    this.#agent = agent
    this.#id = agent.add({
      event: (event) => {
        if (event.on === 'message') {
          this.#learn()
          this.port.dispatchEvent(new MessageEvent('message', { data: event.data }))
        } else if (event.on === 'failed') this.#refused(event.message)
      },
      gone: forget
    })
    const calls: Calls = {
      add: (thing) => agent.add(thing),
      remove: (id) => {
        if (id === this.#id) forget()
        agent.remove(id)
      },
      call: (call) => this.#call(call),
      fail: (message) => this.#fail(message)
    }
    this.port = new PagePort(calls, this.#id)
    address(waiting.signal).then(
      (worker) => {
        if (waiting.signal.aborted) return
        this.#address = worker
        this.#ways = waysTo(worker)
        this.#open()
      },
      (error: Error) => {
        if (!waiting.signal.aborted) this.#fail(error.message)
      }
    )
  }

  #call(call: AgentCall): void {
    this.#unanswered?.push(call)
    if (this.#ways.length > 0) this.#agent.call(call)
  }

  #open(): void {
    const [worker] = this.#ways
    if (worker === undefined) return
    this.#agent.call({ do: 'open', id: this.#id, worker })
    for (const call of this.#unanswered ?? []) this.#agent.call(call)
  }

  #refused(message: string): void {
    if (this.#unanswered === undefined || this.#ways.length < 2) return this.#fail(message)
    this.#ways.shift()
    this.#open()
  }

  /** The next worker of this address is made in the same way. */
  #learn(): void {
    if (this.#unanswered === undefined) return
    this.#unanswered = undefined
    if (this.#address) Object.assign(this.#address, this.#ways[0])
  }

  #fail(message: string): void {
    this.dispatchEvent(Object.assign(new Event('error'), { message }))
  }
}
