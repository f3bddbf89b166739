// Runs one task whose first worker stops at a chosen commit or send; the test kills it there.

import '../../../src/demo/jitless.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/cfworker'
import { runTask, WorkerTransport } from 'intab'
import type { Walked } from '../../support/kill-walk.js'
import { channelOf, nameOf, type Sign } from './death-channel.js'
import url from './death.worker.ts?worker&url'

declare global {
  var walk: (tool: string, at?: string) => Promise<Walked>
  /** Given by the test: kills the workers of this page. */
  var killWorker: () => Promise<void>
}

globalThis.walk = async (tool, at) => {
  const database = `death:${crypto.randomUUID()}`
  const walked: Walked = { points: [], result: { content: [] }, statuses: [], asked: [], log: [] }
  const channel = channelOf(database)
  channel.onmessage = ({ data }: MessageEvent<Sign>) => {
    if ('step' in data) walked.log.push(data.step)
    else if (made === 1) walked.points.push(data.point)
    if (!('stopped' in data) || !data.stopped) return
    walked.killed = data.point
    killWorker().catch((error: unknown) => console.error(error))
  }

  const client = new Client(
    { name: 'death', version: '0.0.0' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {} },
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator()
    }
  )
  client.setRequestHandler(ElicitRequestSchema, ({ params }, { requestId }) => {
    walked.asked.push(String(requestId))
    return { action: 'accept', content: { confirm: true, name: params.message } }
  })
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    role: 'assistant',
    model: 'me',
    content: { type: 'text', text: 'old pond' }
  }))

  let made = 0
  const transport = new WorkerTransport(
    () => new SharedWorker(url, { type: 'module', name: nameOf(database, made++ === 0 ? at : undefined) })
  )
  await client.connect(transport)
  const run = await runTask(client, { name: tool, arguments: { filename: 'a.txt', topic: 'frogs' } })
  for await (const task of run) walked.statuses.push(task.status)
  walked.result = await run.result()
  await client.close()
  channel.close()
  return walked
}
