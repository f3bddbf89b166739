// The half of PageTransport that runs in the page. It is handed over as source text, so it uses nothing from outside of
// itself; and not as a script tag, which a strict Content-Security-Policy forbids.

/** What finds a SharedWorker: https://developer.mozilla.org/docs/Web/API/SharedWorker/SharedWorker */
export interface WorkerAddress {
  /** Absolute, or relative to the page. */
  url: string
  /** As the app gives it; default ''. */
  name?: string
  /** Default `module`. */
  type?: 'classic' | 'module'
  /** As the app gives it; default `same-origin`. */
  credentials?: 'omit' | 'same-origin' | 'include'
  /** Default: without, or with it where the browser refuses that because such a worker runs. */
  extendedLifetime?: boolean
}

/** Where in a message a port belongs, and the id under which it is known from then on. */
export interface PortPlace {
  path: (string | number)[]
  id: number
}

/** What the page is asked to do; `id` names a port or a lock, and the caller chooses it. */
export type AgentCall =
  | { do: 'open'; id: number; worker: WorkerAddress }
  | { do: 'post'; id: number; data: unknown; ports: PortPlace[] }
  | { do: 'hold' | 'free'; id: number; name: string }
  /** Lets go of a port or lock, or gives up waiting for it. */
  | { do: 'close'; id: number }

export type AgentEvent =
  /**
   * The agent of a document, which may say it twice. Of another document than before, or of one that came back from the
   * cache: whatever was there is gone. The workers that the app has made follow.
   */
  | { on: 'hello' }
  /** The app made this SharedWorker. */
  | { on: 'worker'; worker: WorkerAddress }
  | { on: 'message'; id: number; data: unknown }
  /** A lock is held, or was free. */
  | { on: 'locked'; id: number }
  | { on: 'failed'; id: number; message: string; insecure?: boolean }

export interface AgentReport {
  /** Names one life of one document. */
  document: string
  /** Each an AgentEvent as JSON. */
  events: string[]
}

export interface Agent {
  /** False, and nothing done, when the calls were meant for another document. */
  run(document: string, calls: CallText[]): boolean
  /** Says hello, and which workers the app has made: what was reported before anybody listened is lost. */
  greet(): void
}

/** An AgentCall as JSON: the browser's protocol has limits on the depth of values, but not of what a string holds. */
export type CallText = string

export interface AgentNames {
  /** The global that holds the agent. */
  agent: string
  /** The global function that takes reports. */
  report: string
}

/**
 * Installs the agent in the main frame of a page, once; earlier than any script of the page, it sees every worker made. One
 * that is there says hello again.
 */
export function installAgent(names: AgentNames): void {
  const scope = globalThis as unknown as Record<string, unknown>
  if (window.top !== window) return
  if (names.agent in scope) return (scope[names.agent] as Agent).greet()

  const newDocument = (): string => `${Date.now()}:${Math.random()}`
  let document = newDocument()
  let outbox: string[] = []
  const things = new Map<number, { post?(data: unknown, ports: MessagePort[]): void; close(): void }>()

  const flush = (): void => {
    const report = scope[names.report]
    // Init scripts run in no fixed order, and one of them defines the function.
    if (typeof report !== 'function') return void setTimeout(flush)
    const events = outbox
    outbox = []
    if (events.length > 0) report({ document, events } satisfies AgentReport)
  }
  const emit = (event: AgentEvent): void => {
    const id = 'id' in event ? event.id : 0
    if (outbox.push(textOf(event, id)) === 1) queueMicrotask(flush)
  }
  /** One event that is not JSON must not take the others with it. */
  const textOf = (event: AgentEvent, id: number): string => {
    try {
      return JSON.stringify(event)
    } catch (error) {
      return JSON.stringify({ on: 'failed', id, message: `A message came that is not JSON: ${String(error)}` })
    }
  }
  const failed = (id: number, error: unknown): void =>
    emit({ on: 'failed', id, message: error instanceof Error ? error.message : String(error) })

  const made: WorkerAddress[] = []
  const Original = globalThis.SharedWorker
  const hear = (url: unknown, options: unknown): void => {
    const { name, type, credentials, extendedLifetime } = (
      typeof options === 'string' ? { name: options } : (options ?? {})
    ) as Partial<WorkerAddress>
    const worker: WorkerAddress = {
      url: new URL(String(url), globalThis.document.baseURI).href,
      type: type ?? 'classic',
      ...(name !== undefined && { name }),
      ...(credentials !== undefined && { credentials }),
      // A page that says nothing has said no.
      extendedLifetime: extendedLifetime ?? false
    }
    made.push(worker)
    emit({ on: 'worker', worker })
  }
  if (typeof Original === 'function') {
    globalThis.SharedWorker = new Proxy(Original, {
      construct(target, args: [string | URL, (string | WorkerOptions)?], newTarget: NewableFunction) {
        const made: object = Reflect.construct(target, args, newTarget)
        hear(args[0], args[1])
        return made
      }
    })
  }

  const adopt = (id: number, port: MessagePort, close: () => void): void => {
    port.addEventListener('message', ({ data }) => emit({ on: 'message', id, data }))
    port.start()
    things.set(id, { post: (data, ports) => port.postMessage(data, ports), close })
  }
  const open = (id: number, { url, type = 'module', ...rest }: WorkerAddress): void => {
    if (typeof Original !== 'function') return failed(id, 'SharedWorker is missing in this page')
    const worker = new Original(new URL(url, globalThis.document.baseURI), { type, ...rest })
    worker.addEventListener('error', (event) => failed(id, (event as Partial<ErrorEvent>).message || 'script error'))
    adopt(id, worker.port, () => worker.port.close())
  }
  const post = (id: number, data: unknown, places: PortPlace[]): void => {
    const transfer = places.map((place) => {
      const { port1, port2 } = new MessageChannel()
      adopt(place.id, port1, () => port1.close())
      const path = [...place.path]
      const last = path.pop()
      const target = path.reduce<unknown>((object, key) => (object as Record<string, unknown>)[key], data)
      if (last !== undefined) (target as Record<string, unknown>)[last] = port2
      return port2
    })
    things.get(id)?.post?.(data, transfer)
  }
  const lock = (id: number, name: string, mode: LockMode): void => {
    const locks = (globalThis.navigator as { locks?: LockManager }).locks
    if (locks === undefined) return emit({ on: 'failed', id, message: 'Web Locks are missing', insecure: true })
    const waiting = new AbortController()
    things.set(id, { close: () => waiting.abort() })
    const granted = (): Promise<void> | undefined => {
      emit({ on: 'locked', id })
      if (mode === 'shared') return undefined
      return new Promise<void>((release) => things.set(id, { close: () => release() }))
    }
    locks.request(name, { mode, signal: waiting.signal }, granted).catch((error: unknown) => {
      if (!waiting.signal.aborted) failed(id, error)
    })
  }
  const run = (call: AgentCall): void => {
    if (call.do === 'open') open(call.id, call.worker)
    else if (call.do === 'post') post(call.id, call.data, call.ports)
    else if (call.do === 'hold') lock(call.id, call.name, 'exclusive')
    else if (call.do === 'free') lock(call.id, call.name, 'shared')
    else {
      things.get(call.id)?.close()
      things.delete(call.id)
    }
  }

  const agent: Agent = {
    run(meant, calls) {
      if (meant !== document) return false
      for (const text of calls) {
        const call = JSON.parse(text) as AgentCall
        try {
          run(call)
        } catch (error) {
          failed(call.id, error)
        }
      }
      return true
    },
    greet() {
      emit({ on: 'hello' })
      for (const worker of made) emit({ on: 'worker', worker })
    }
  }
  Object.defineProperty(scope, names.agent, { value: agent })
  globalThis.addEventListener('pagehide', () => {
    for (const thing of things.values()) thing.close()
    things.clear()
  })
  globalThis.addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    document = newDocument()
    outbox = []
    agent.greet()
  })
  agent.greet()
}

/** Runs in the page as well: hands calls to the agent. */
export function runCalls({ agent, document, calls }: { agent: string; document: string; calls: CallText[] }): boolean {
  const installed = (globalThis as unknown as Record<string, Agent | undefined>)[agent]
  return installed?.run(document, calls) ?? false
}
