// The command's work, without its process.

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Page } from 'playwright-core'
import { IntabError } from '../errors.js'
import { AgentLink } from '../testing/agent-link.js'
import { PageTransport } from '../testing/page-transport.js'
import { onWorkerConsole } from '../testing/workers.js'
import type { BridgeArguments } from './arguments.js'
import { openHttpBridge } from './http-bridge.js'
import { openPage } from './open-page.js'
import { relay } from './relay.js'

export interface Bridge {
  /** Where clients connect; undefined on stdio. */
  url: string | undefined
  page: Page
  /** Resolves when the client on stdio has gone; rejects with `closed` when the page or its browser has. */
  ended: Promise<void>
  close(): Promise<void>
}

interface Served {
  url?: string
  /** Resolves when there is nobody left to serve. */
  ended: Promise<void>
  close(): Promise<void>
}

/** Opens the page and serves its server; rejects with an IntabError that says what is missing. */
export async function openBridge(options: BridgeArguments, onerror: (error: Error) => void): Promise<Bridge> {
  const { port, worker } = options
  const { page, context } = await openPage({
    ...options,
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
  const pageGone = new Promise<void>((resolve, reject) => {
    page.once('close', () => {
      if (closing) resolve()
      else reject(new IntabError('closed', 'The page was closed, and its server with it'))
    })
  })
  try {
    const probe = connect()
    await probe.start()
    await probe.close()
    const served = await (port === undefined ? serveStdio(connect(), onerror) : serveHttp(connect, port, onerror))
    const ended = Promise.race([pageGone, served.ended])
    ended.catch(() => undefined)
    return {
      url: served.url,
      page,
      ended,
      async close() {
        closing = true
        await served.close()
        await context.close()
      }
    }
  } catch (error) {
    closing = true
    await context.close()
    throw error
  }
}

async function serveHttp(connect: () => PageTransport, port: number, onerror: (error: Error) => void): Promise<Served> {
  const http = await openHttpBridge({ connect, port, onerror })
  return { ...http, ended: new Promise(() => undefined) }
}

async function serveStdio(page: PageTransport, onerror: (error: Error) => void): Promise<Served> {
  const stdio = new StdioServerTransport()
  await relay(stdio, page, onerror)
  const ended = new Promise<void>((resolve) => {
    // The SDK's transport does not tell of the end of its input.
    process.stdin.once('end', () => resolve())
    process.stdin.once('close', () => resolve())
  })
  return { ended, close: () => stdio.close() }
}
