// The Inspector's client that keeps a connection and answers questions, one command at a time.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from '../../scripts/outside.mjs'

export const name = '@modelcontextprotocol/inspector 2.12.0, mcpdo'
export const packages = { '@modelcontextprotocol/inspector': '2.12.0' }

/** @param {import('./context.mjs').Context} context */
export async function run({ url, modules, node, passed }) {
  const cli = join(modules, '@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js')
  // Its daemon and its files live in the home folder.
  const home = await mkdtemp(join(tmpdir(), 'intab-mcpdo-'))
  const env = { HOME: home, USERPROFILE: home, MCP_INSPECTOR_SECRET_STORE: 'file' }
  const command = (/** @type {string[]} */ ...args) => capture(node, [cli, '--format', 'json', ...args], { env })
  const ask = async (/** @type {string[]} */ ...args) => {
    const { code, stdout, stderr } = await command('--connection', url, ...args)
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const start = async (/** @type {string} */ filename) => {
    const { elicitationPending } = await ask('tools/call', 'confirm_delete', `filename:=${filename}`, '--task')
    assert.equal(elicitationPending.message, `Delete ${filename}?`)
    return elicitationPending.elicitationId
  }
  /** @returns {Promise<{ taskId: string, status: string }>} */
  const newest = async () => (await ask('tasks/list')).tasks.at(-1)
  try {
    const connected = await command('connect', url)
    assert.equal(connected.code, 0, connected.stderr)
    passed('connect')

    const question = await start('mcpdo.txt')
    passed('tools/call --task, of a task that asks')
    const { content } = await ask('elicitation/respond', question, 'confirm:=true')
    assert.deepEqual(content, [{ type: 'text', text: 'Deleted mcpdo.txt' }])
    passed('elicitation/respond, and the result')

    const { taskId, status } = await newest()
    assert.equal(status, 'completed')
    passed('tasks/list')
    assert.equal((await ask('tasks/get', taskId)).task.status, 'completed')
    passed('tasks/get')
    assert.deepEqual((await ask('tasks/result', taskId)).content, content)
    passed('tasks/result')
    const late = await command('--connection', url, 'tasks/cancel', taskId)
    assert.match(late.stderr, /Cannot cancel task in terminal status: completed/)
    passed('tasks/cancel of a final task, refused')
  } finally {
    await command('daemon', 'stop')
    await rm(home, { recursive: true, force: true })
  }
}
