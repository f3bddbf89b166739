// How the command `intab bridge` ends: what was read is answered, and its browser ends with it.

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findBrowser } from '../../scripts/browser.mjs'
import { root, runTool } from '../../scripts/run.mjs'
import { expect, test as base } from './fixtures.js'

interface Message {
  id?: string | number | null
  method?: string
  result?: { task?: { taskId: string } }
  error?: { code: number; data?: { code: string } }
}

const clientInfo = { name: 'process', version: '1.0.0' }
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: { elicitation: { form: {} } }, clientInfo }
}
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
const lines = (...messages: unknown[]): string =>
  messages.map((message) => `${typeof message === 'string' ? message : JSON.stringify(message)}\n`).join('')

/** Command lines of all processes, with their ids. */
function processes(): { pid: number; command: string }[] {
  if (process.platform !== 'linux') {
    const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
    return listed.map((line) => ({ pid: parseInt(line, 10), command: line }))
  }
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [{ pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }] : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

class Command {
  readonly child: ChildProcessWithoutNullStreams
  readonly heard: Message[] = []
  /** The exit code. */
  readonly ended: Promise<number | null>
  readonly #profile: string
  said = ''

  constructor(url: string, profile: string, ...more: string[]) {
    this.#profile = profile
    const cli = join(root, 'dist', 'bridge', 'cli.js')
    const args = [cli, 'bridge', url, '--browser', String(findBrowser()), '--profile', profile, ...more]
    this.child = spawn(process.execPath, args)
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.said += text))
    createInterface(this.child.stdout).on('line', (line) => this.heard.push(JSON.parse(line) as Message))
    this.ended = once(this.child, 'close').then(([code]) => code as number | null)
  }

  /** The processes of its browser: all of them name the profile. */
  get browser(): { pid: number; command: string }[] {
    return processes().filter(({ command }) => command.includes(`user-data-dir=${this.#profile}`))
  }

  async answer(id: string | number): Promise<Message> {
    await expect.poll(() => this.heard.some((message) => message.id === id), { timeout: 60_000 }).toBe(true)
    return this.heard.find((message) => message.id === id) as Message
  }

  /** Asks for the result of a task that waits for a person. */
  async wait(): Promise<void> {
    const call = { name: 'confirm_delete', arguments: { filename: 'a.txt' }, task: {} }
    this.child.stdin.write(
      lines(initialize, initialized, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
    )
    const { result } = await this.answer(1)
    const params = { taskId: result?.task?.taskId }
    this.child.stdin.write(lines({ jsonrpc: '2.0', id: 'held', method: 'tasks/result', params }))
    await expect.poll(() => this.heard.some(({ method }) => method === 'elicitation/create')).toBe(true)
    expect(this.browser).not.toEqual([])
  }
}

const test = base.extend<{ bridge: (...args: string[]) => Command }>({
  bridge: async ({ baseURL }, use) => {
    expect(await runTool('tsc', ['-p', 'tsconfig.build.json'])).toBe(0)
    const profile = await mkdtemp(join(tmpdir(), 'intab-bridge-'))
    const started: Command[] = []
    await use((...args) => {
      const command = new Command(`${baseURL}/test/e2e/pages/road.html`, profile, ...args)
      started.push(command)
      return command
    })
    for (const { child } of started) child.kill('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
})

test.beforeEach(() => test.slow())

const closed = { error: { data: { code: 'closed' } } }

test('SIGINT, SIGTERM, SIGHUP, or the page closes: SIGHUP and SIGTERM answer what is open and end the browser', async ({
  bridge
}) => {
  for (const signal of ['SIGHUP', 'SIGTERM'] as const) {
    const command = bridge('--stdio')
    await command.wait()
    command.child.kill(signal)
    expect(await command.ended).toBe(0)
    expect(await command.answer('held')).toMatchObject(closed)
    await expect.poll(() => command.browser).toEqual([])
  }
})

test('SIGINT, SIGTERM, SIGHUP, or the page closes: so does a browser that dies, and the exit code says so', async ({
  bridge
}) => {
  const command = bridge('--stdio')
  await command.wait()
  const main = command.browser.find(({ command: line }) => !line.includes('--type='))
  process.kill(Number(main?.pid), 'SIGKILL')
  expect(await command.ended).toBe(1)
  expect(await command.answer('held')).toMatchObject(closed)
  expect(command.said).toContain('The page')
  await expect.poll(() => command.browser).toEqual([])
})

test('the end of standard input: what was piped in is answered, a line that is too long among it, and the browser ends', async ({
  bridge
}) => {
  const command = bridge('--stdio', '--max-message', '1000')
  const list = { jsonrpc: '2.0', id: 'list', method: 'tools/list' }
  command.child.stdin.end(lines(initialize, initialized, 'nonsense', 'x'.repeat(2_000), list))
  expect(await command.ended).toBe(0)
  expect(await command.answer('list')).toMatchObject({ result: { tools: [{ name: 'confirm_delete' }] } })
  expect(command.heard.flatMap(({ id, error }) => (id === null ? [error?.code] : []))).toEqual([-32700, -32600])
  expect(command.browser).toEqual([])
})

test('SIGINT, SIGTERM, SIGHUP, or the page closes: over HTTP, the streams end with an answer', async ({ bridge }) => {
  const command = bridge('--port', '0')
  await expect.poll(() => command.said, { timeout: 60_000 }).toContain('is served at ')
  const [, url = ''] = / is served at (\S+)/.exec(command.said) ?? []
  const headers = {
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': '2025-11-25'
  }
  const opened = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) })
  const session = { ...headers, 'Mcp-Session-Id': String(opened.headers.get('mcp-session-id')) }
  const call = { name: 'confirm_delete', arguments: { filename: 'a.txt' }, task: {} }
  const post = (message: object): Promise<Response> =>
    fetch(url, { method: 'POST', headers: session, body: JSON.stringify(message) })
  const created = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  const [, taskId] = /"taskId":"([^"]+)"/.exec(await created.text()) ?? []
  const held = await post({ jsonrpc: '2.0', id: 'held', method: 'tasks/result', params: { taskId } })
  command.child.kill('SIGINT')
  expect(await held.text()).toMatch(/"id":"held".*"code":"closed"/)
  expect(await command.ended).toBe(0)
  await expect.poll(() => command.browser).toEqual([])
})
