// The way off the browser: the demo's own tool on a Node server whose stores might be anybody's PostgreSQL.

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { confirmDelete } from '../../support/confirm-delete.js'
import { connectHttp, serveHttp } from './http.js'
import { type Answer, callAsTask, kinds, makeClient, makeServer, taskResult, type Told } from './wire.js'

describe.each(kinds)('one taskTool, unchanged, over Streamable HTTP, %s', (_kind, stores) => {
  async function connect(onelicit: Answer, url?: URL): Promise<{ client: Told; url: URL }> {
    const options = { ...stores(), tools: [confirmDelete] }
    const where = url ?? (await serveHttp(() => makeServer(options)))
    const client = makeClient({ onelicit })
    await client.connect(connectHttp(where))
    onTestFinished(() => client.close())
    return { client, url: where }
  }
  it('becomes a task, asks on the stream of tasks/result, and returns', async () => {
    const questions: string[] = []
    const { client } = await connect(({ message }) => {
      questions.push(message)
      return { action: 'accept', content: { confirm: true } }
    })
    const { taskId, status } = await callAsTask(client, 'confirm_delete', { filename: 'a.txt' })
    expect(status).toBe('working')
    await vi.waitFor(async () =>
      expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: 'input_required' })
    )
    expect(await taskResult(client, taskId)).toMatchObject({
      content: [{ type: 'text', text: 'Deleted a.txt' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } }
    })
    expect(questions).toEqual(['Delete a.txt?'])
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: 'completed' })
  })

  it('is found by the SDK’s own stream of a tool call', async () => {
    const { client } = await connect(() => ({ action: 'decline' }))
    await client.listTools()
    const types: string[] = []
    const call = { name: 'confirm_delete', arguments: { filename: 'b.txt' } }
    for await (const message of client.experimental.tasks.callToolStream(call)) {
      types.push(message.type)
      if (message.type === 'result') expect(message.result).toMatchObject({ content: [{ text: 'Kept' }] })
    }
    expect([types[0], types.at(-1)]).toEqual(['taskCreated', 'result'])
  })

  it('is cancelled while it asks, and is unknown to another session', async () => {
    const { client, url } = await connect(() => ({ action: 'decline' }))
    const { client: stranger } = await connect(() => ({ action: 'decline' }), url)
    const { taskId } = await callAsTask(client, 'confirm_delete', { filename: 'c.txt' })
    await expect(stranger.experimental.tasks.getTask(taskId)).rejects.toMatchObject({ code: -32602 })
    expect((await stranger.experimental.tasks.listTasks()).tasks).toEqual([])
    expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ status: 'cancelled' })
    await expect(client.experimental.tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 })
  })
})
