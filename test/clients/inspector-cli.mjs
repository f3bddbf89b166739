// The Inspector's command line, in both revisions. It declares no elicitation, so a tool that asks must tell it why it failed.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { capture } from '../../scripts/outside.mjs'

export const name = '@modelcontextprotocol/inspector 2.12.0, --cli'
export const packages = { '@modelcontextprotocol/inspector': '2.12.0' }

/** @param {import('./context.mjs').Context} context */
export async function run({ url, modules, node, passed }) {
  const cli = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js')
  const inspect = (/** @type {string[]} */ ...args) => capture(node, [cli, '--cli', url, ...args])
  for (const era of ['legacy', 'modern']) {
    const call = (/** @type {string} */ tool, /** @type {string[]} */ ...args) =>
      inspect('--protocol-era', era, '--method', 'tools/call', '--tool-name', tool, ...args)

    const listed = await inspect('--protocol-era', era, '--method', 'tools/list')
    const { tools } = JSON.parse(listed.stdout)
    const confirm = tools.find((/** @type {{ name: string }} */ tool) => tool.name === 'confirm_delete')
    assert.equal(confirm.execution?.taskSupport, era === 'legacy' ? 'required' : undefined)
    passed(`${era}: tools/list`)

    const progress = await call('test_tool_with_progress')
    assert.match(progress.stdout, /Done/)
    passed(`${era}: tools/call of a task tool`)

    const asks = await call('confirm_delete', '--tool-arg', 'filename=inspector.txt')
    assert.notEqual(asks.code, 0)
    assert.match(asks.stdout + asks.stderr, /The client does not support elicitation/)
    passed(`${era}: tools/call of one that asks: it cannot answer, and is told so`)
  }
}
