// The command's work, without its process.

import type { Readable, Writable } from 'node:stream'
import type { Page } from 'playwright-core'
import { IntabError } from '../errors.js'
import { AgentLink } from '../testing/agent-link.js'
import { PageTransport } from '../testing/page-transport.js'
import { onWorkerConsole } from '../testing/workers.js'
import type { BridgeArguments } from './arguments.js'
import { openHttpBridge } from './http-bridge.js'
import { openPage } from './open-page.js'
import { relay } from './relay.js'
import { StdioTransport } from './stdio.js'

export interface Bridge {
  /** Where clients connect; undefined on stdio. */
  url: string | undefined
  page: Page
  /** Resolves when the client on stdio has gone; rejects with `closed` when the page or its browser has. */
  ended: Promise<void>
  /** Answers what is open, and ends the browser. */
  close(): Promise<void>
}

interface Served {
  url?: string
  /** Resolves when there is nobody left to serve. */
  ended: Promise<void>
  close(reason: Error): Promise<void>
}

export interface BridgeOptions extends BridgeArguments {
  onerror(error: Error): void
  /** Default: those of the process. */
  input?: Readable
  output?: Writable
}

/** How long requests that were read may take once there is no more input on stdio; milliseconds. */
const lastWork = 10_000

/** Opens the page and serves its server; rejects with an IntabError that says what is missing. */
export async function openBridge(options: BridgeOptions, signal?: AbortSignal): Promise<Bridge> {
  const { http, worker, maxMessage, onerror } = options
  const { page, context } = await openPage({
    ...options,
    ...(signal && { signal }),
    // From its first line on the page is watched, and its worker's errors are told.
    async prepare(page) {
      await AgentLink.of(page).ready()
      await onWorkerConsole(page, ({ type, text }) => {
        if (type === 'exception' || type === 'error') onerror(new Error(`worker: ${text}`))
      })
    }
  })
  const connect = (): PageTransport => new PageTransport(page, worker === undefined ? {} : { worker })
  let closing = false
  const pageGone = new Promise<Error | undefined>((resolve) => {
    const gone = (what: string): void =>
      resolve(closing ? undefined : new IntabError('closed', `The page ${what}, and its server with it`))
    page.once('close', () => gone('was closed'))
    page.once('crash', () => gone('crashed'))
  })
  try {
    const probe = connect()
    await probe.start()
    await probe.close()
    const served = await (http === undefined
      ? serveStdio(connect(), options)
      : openHttpBridge({ ...http, connect, maxMessage, onerror }).then((bridge): Served => ({
          ...bridge,
          ended: never
        })))
    const ended = Promise.race([
      served.ended,
      pageGone.then((error) => {
        if (error) throw error
      })
    ])
    ended.catch(() => undefined)
    return {
      url: served.url,
      page,
      ended,
      async close() {
        closing = true
        await served.close(new IntabError('closed', 'The bridge was stopped before this was answered'))
        await context.close()
      }
    }
  } catch (error) {
    closing = true
    await context.close()
    throw error
  }
}

const never = new Promise<void>(() => undefined)

async function serveStdio(page: PageTransport, options: BridgeOptions): Promise<Served> {
  const { input = process.stdin, output = process.stdout, maxMessage, onerror } = options
  const stdio = new StdioTransport(input, output, maxMessage)
  const { answered, end } = await relay(stdio, page, onerror)
  // Whoever pipes its requests in wants their answers; whoever has gone waits for none.
  const ended = stdio.ended.then(async () => {
    const late = new Promise<void>((resolve) => setTimeout(resolve, lastWork).unref())
    await Promise.race([answered(), late])
  })
  return { ended, close: end }
}
