// A client that only polls, as FastMCP's does: it takes a task, asks tasks/get from time to time, answers what it finds
// there by tasks/update, and never listens. What it gets is checked by ext-tasks.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { metaOf, post } from './context.mjs'

export const name = 'a client that polls tasks/get'
export const packages = { '@modelcontextprotocol/ext-tasks': '0.2.2', '@modelcontextprotocol/client': '2.4.0' }

/** @param {import('./context.mjs').Context} context */
export async function run({ url, modules, passed }) {
  const { isCreateTaskResultV2, isDetailedTaskV2 } = await import(
    pathToFileURL(join(modules, '@modelcontextprotocol/ext-tasks/dist/core/v2/index.js')).href
  )
  let id = 0
  const ask = async (/** @type {string} */ method, /** @type {object} */ params, can = { elicitation: {} }) => {
    id += 1
    const { result, error } = await post(url, { id, method, params: { ...params, _meta: metaOf(can) } })
    assert.equal(error, undefined, JSON.stringify(error))
    return result
  }
  const get = async (/** @type {string} */ taskId) => {
    const shown = await ask('tasks/get', { taskId })
    assert.ok(isDetailedTaskV2(shown), JSON.stringify(shown))
    return shown
  }
  const create = async () => {
    const made = await ask('tools/call', { name: 'confirm_delete', arguments: { filename: 'polled.txt' } })
    assert.ok(isCreateTaskResultV2(made), JSON.stringify(made))
    return made
  }

  const { taskId, pollIntervalMs = 20 } = await create()
  passed('tools/call answers with a task')
  let task = await get(taskId)
  const answered = /** @type {string[]} */ ([])
  /** @type {[string, { params: { message: string } }][]} */
  let questions
  while (task.status === 'working' || task.status === 'input_required') {
    questions = Object.entries(task.inputRequests ?? {})
    for (const [key, { params }] of questions) {
      answered.push(params.message)
      await ask('tasks/update', { taskId, inputResponses: { [key]: { action: 'accept', content: { confirm: true } } } })
    }
    await pause(Math.min(pollIntervalMs, 20))
    task = await get(taskId)
  }
  assert.deepEqual(answered, ['Delete polled.txt?'])
  assert.deepEqual(task.result.content, [{ type: 'text', text: 'Deleted polled.txt' }])
  passed('tasks/get and tasks/update, to the result')

  const other = await create()
  await ask('tasks/cancel', { taskId: other.taskId })
  assert.equal((await get(other.taskId)).status, 'cancelled')
  await ask('tasks/cancel', { taskId: other.taskId })
  passed('tasks/cancel, also of a final task')
}
