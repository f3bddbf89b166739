import { describe, expect, test } from 'vitest'
import type { McpServerSetup } from 'intab/mcp-server'
import * as z from 'zod'
import { forms, rawTab } from '../support/raw-tab.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

/** `{ a: { a: … } }` */
function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {}
  for (let level = 1; level < levels; level += 1) value = { a: value }
  return value
}

/** As deep as a handler's own values may be. */
const deep = 2500
const tooDeep = { code: -32602, data: { code: 'not_json', limit: expect.any(Number) } }

const setup: McpServerSetup = (server) => {
  server.registerTool('plain', { inputSchema: { value: z.json() } }, () => text('ran'))
  server.registerTool('deep', {}, () => ({ ...text('deep'), structuredContent: nested(deep) }))
}

describe('G3 what is nested more than 100 levels deep is refused as it crosses, whatever would walk it', () => {
  test.each(['task', 'plain'])('arguments of a tool, %s', async (name) => {
    const task = toolOf('task', () => text('ran'), { inputSchema: { value: z.json() } })
    const raw = await rawTab(new World({ tools: [task], setup }))
    for (const levels of [101, 700, deep]) {
      const error = await raw.fail('tools/call', { name, arguments: { value: nested(levels) } })
      expect(error).toMatchObject(tooDeep)
      expect(error.message).toMatch(/more than 1(00|28) levels deep/)
    }
    expect(await raw.ok('tools/call', { name, arguments: { value: nested(90) } })).toMatchObject(text('ran'))
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: name === 'task' ? [{}] : [] })
  })

  test('`_meta` and the params of any other request', async () => {
    const raw = await rawTab(new World({ tools: [toolOf('work', () => text('done'))], setup }))
    expect(await raw.fail('tools/call', { name: 'work', _meta: { x: nested(deep) } })).toMatchObject(tooDeep)
    expect(await raw.fail('tasks/get', { taskId: nested(deep) })).toMatchObject(tooDeep)
    expect(await raw.ok('ping')).toEqual({})
  })

  test('a result of a plain tool', async () => {
    const raw = await rawTab(new World({ setup }))
    expect(await raw.fail('tools/call', { name: 'deep' })).toMatchObject(tooDeep)
  })

  test.each<[what: string, act: (task: Parameters<Parameters<typeof toolOf>[1]>[1]) => unknown]>([
    ['a step', (task) => task.step('a', () => nested(deep))],
    ['a notification', (task) => task.notify({ method: 'x', params: nested(deep) as never })],
    ['a question', (task) => task.createMessage({ messages: [], maxTokens: 1, metadata: nested(deep) })]
  ])('%s of a task', async (_, act) => {
    const tool = toolOf('work', async (_args, task) => {
      const error = await Promise.resolve(act(task)).then(
        () => 'kept',
        ({ code, message }: { code: string; message: string }) => `${code}: ${message}`
      )
      return text(error)
    })
    const raw = await rawTab(new World({ tools: [tool] }), { capabilities: { sampling: {} } })
    const { taskId } = await raw.create('work')
    expect(JSON.stringify(await raw.result(taskId))).toMatch(/not_json: .* is nested more than 100 levels deep/)
  })

  test('a result of a task, which fails and says so', async () => {
    const tool = toolOf('work', () => ({ ...text('done'), _meta: nested(deep) }))
    const raw = await rawTab(new World({ tools: [tool] }), { capabilities: forms })
    const { taskId } = await raw.create('work')
    expect(JSON.stringify(await raw.result(taskId))).toContain('nested more than 100 levels deep')
  })
})
