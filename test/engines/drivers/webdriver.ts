// WebKitGTK by WebKitWebDriver, in plain calls of https://www.w3.org/TR/webdriver2/.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Launch, Tab } from './driver.js'
import { end, killTree, treeOf, workersOf } from './processes.js'

/** Only ends what hangs; milliseconds. */
const longestStart = 120_000

/** The key under which an error of the page comes back. */
interface Outcome {
  value?: unknown
  error?: string
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** `disk`: with the profile in its folder; else MiniBrowser's own, which is in memory, with every tab hidden. */
export const webDriver =
  (miniBrowser: string, where: 'disk' | 'memory'): Launch =>
  async (profile, { room } = {}) => {
    const port = await freePort()
    const child = spawn('xvfb-run', ['-a', '-s', '-screen 0 1280x1024x24', 'WebKitWebDriver', `--port=${port}`], {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, INTAB_PROFILE: profile, INTAB_ROOM: String(room ?? '') }
    })
    const pid = child.pid ?? 0
    const exited = once(child, 'exit')

    const call = async (method: string, path: string, body?: object, signal?: AbortSignal): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        ...(signal && { signal })
      })
      const { value } = (await response.json()) as { value: unknown }
      if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
      return value
    }
    const ready = async (signal: AbortSignal): Promise<void> => {
      for (;;) {
        signal.throwIfAborted()
        if (child.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${child.exitCode}`)
        const status = await call('GET', '/status').catch(() => undefined)
        if ((status as { ready?: boolean } | undefined)?.ready) return
        await sleep(50)
      }
    }
    const options =
      where === 'disk'
        ? { binary: fileURLToPath(new URL('webkit-on-disk.py', import.meta.url)), args: [] }
        : { binary: miniBrowser, args: ['--automation'] }
    const capabilities = {
      alwaysMatch: { 'webkitgtk:browserOptions': options, timeouts: { script: 2 ** 31 - 1, pageLoad: 300_000 } }
    }
    const start = async (signal: AbortSignal): Promise<string> => {
      await ready(signal)
      const made = await call('POST', '/session', { capabilities }, signal)
      return (made as { sessionId: string }).sessionId
    }
    const sessionId = await start(AbortSignal.timeout(longestStart)).catch(async (cause: unknown) => {
      await killTree(pid)
      throw new Error(`WebKitGTK did not start: ${String(cause)}`, { cause })
    })
    const session = `/session/${sessionId}`

    // One command at a time, each to the tab that it names.
    let last: Promise<unknown> = Promise.resolve()
    const inTab = <Result>(handle: string, act: () => Promise<Result>): Promise<Result> => {
      const result = last
        .catch(() => undefined)
        .then(() => call('POST', `${session}/window`, { handle }))
        .then(act)
      last = result
      return result
    }

    const tabOf = (handle: string): Tab => {
      const command = (method: string, path: string, body?: object): Promise<unknown> =>
        inTab(handle, () => call(method, `${session}${path}`, body))
      const execute = (script: string, args: unknown[] = []): Promise<unknown> =>
        command('POST', '/execute/sync', { script, args })
      // The driver may return before the scripts of the next document have run.
      const load = async (method: string, path: string, body: object): Promise<void> => {
        await execute('document.left = true')
        await command(method, path, body)
        while (!(await execute("return !document.left && document.readyState === 'complete'"))) await sleep(10)
      }
      let runs = 0
      return {
        // A script that waits would hold up all other tabs: it is begun, and then asked for what came of it.
        async run(fn, ...args) {
          const name = `__run${(runs += 1)}`
          await execute(
            // WebKit's DOMExceptions have no stack, and some have no message.
            `const keep = (outcome) => { globalThis.${name} = JSON.stringify(outcome) }
             const told = (e) => e?.cause ? [e, e.stack, 'caused by', told(e.cause)].join('\\n') : [e, e?.stack].join('\\n')
             Promise.resolve().then(() => (${String(fn)})(...arguments[0])).then(
               (value) => keep({ value }), (error) => keep({ error: told(error) }))`,
            [args]
          )
          for (;;) {
            const text = await execute(`return globalThis.${name}`)
            if (typeof text === 'string') {
              const { value, error } = JSON.parse(text) as Outcome
              if (error !== undefined) throw new Error(error)
              return value as never
            }
            await sleep(10)
          }
        },
        goto: (url) => load('POST', '/url', { url }),
        reload: () => load('POST', '/refresh', {}),
        back: async () => void (await command('POST', '/back', {})),
        close: async () => void (await command('DELETE', '/window')),
        screenshot: async () => Buffer.from(String(await command('GET', '/screenshot')), 'base64')
      }
    }

    // It stays: with the last window the session would end, and where the current one is closed no other opens.
    const first = String(await call('GET', `${session}/window`))
    return {
      async open(url) {
        const made = await inTab(first, () => call('POST', `${session}/window/new`, { type: 'tab' }))
        const { handle } = made as { handle: string }
        const tab = tabOf(handle)
        await tab.goto(url)
        return tab
      },
      kill: () => killTree(pid),
      // The session ends when the process of a driven tab does, and MiniBrowser has no others.
      ...(where === 'disk' && {
        openApart: (url: string) => writeFile(`${profile}/apart`, url),
        workers: () => workersOf(pid)
      }),
      async close() {
        await last.catch(() => undefined)
        await call('DELETE', session).catch(() => undefined)
        end(await treeOf(pid), 'SIGTERM')
        await Promise.race([exited, sleep(3_000)])
        await killTree(pid)
      }
    } satisfies Browser
  }
