import { describe, expect, test } from 'vitest'
import { rawTab } from '../support/raw-tab.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const ran: string[] = []
const tools = [
  toolOf('noted', () => {
    ran.push('noted')
    return text('done')
  })
]

/** Whatever a client may send where an object with certain keys belongs. */
const noObjects = [null, [], ['x'], 'x', 7, true]
const noStrings = [undefined, null, 7, {}, []]

describe('params that do not fit', () => {
  test.each(['tasks/get', 'tasks/result', 'tasks/cancel', 'intab/tasks/delete'])(
    'are -32602 in %s: the name of what is wrong, and nothing happens',
    async (method) => {
      const raw = await rawTab(new World({ tools }))
      const cases: unknown[] = [...noObjects, ...noStrings.map((taskId) => ({ taskId }))]
      for (const params of cases) {
        expect([params, await raw.fail(method, params)]).toEqual([
          params,
          { code: -32602, message: expect.stringMatching(/^Invalid params: (params|taskId): /) }
        ])
      }
    }
  )

  test('are -32602 in tasks/list', async () => {
    const raw = await rawTab(new World({ tools }))
    const list = (value: unknown) => ({ _meta: { 'intab/list': value } })
    const queries = ['newest', { order: 'up' }, { status: 'working' }, { status: [] }, { status: ['done'] }]
    const cases: unknown[] = [...noObjects, { cursor: 7 }, { cursor: null }, { _meta: 'x' }, ...queries.map(list)]
    for (const params of cases) {
      expect([params, await raw.fail('tasks/list', params)]).toEqual([
        params,
        { code: -32602, message: expect.stringMatching(/^Invalid params: /) }
      ])
    }
  })

  test('are -32602 in tools/call, with a task tool, without a tool, with a plain one: nothing is created or run', async () => {
    const world = new World({
      tools,
      setup: (server) => {
        server.registerTool('plain', {}, () => {
          ran.push('plain')
          return text('plain')
        })
      }
    })
    const raw = await rawTab(world)
    const tasks = [null, 'x', 7, [], true, { ttl: '5' }, { ttl: null }]
    const cases: unknown[] = [
      ...noObjects,
      {},
      { name: 7 },
      { task: {} },
      ...tasks.map((task) => ({ name: 'noted', task })),
      ...tasks.map((task) => ({ name: 'plain', task })),
      { name: 'noted', arguments: 'x' },
      { name: 'plain', arguments: [1] },
      { name: 'noted', task: {}, _meta: { progressToken: {} } }
    ]
    for (const params of cases) {
      expect([params, await raw.fail('tools/call', params)]).toEqual([
        params,
        { code: -32602, message: expect.stringMatching(/^Invalid params: /) }
      ])
    }
    await raw.quiet()
    expect(ran).toEqual([])
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: [] })
  })

  test('arguments that JSON cannot carry are refused before anything is created', async () => {
    const raw = await rawTab(new World({ tools }))
    const error = await raw.fail('tools/call', { name: 'noted', task: {}, arguments: { when: new Date(0) } })
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('arguments.when is a Date'),
      data: { code: 'not_json', path: 'params.arguments.when' }
    })
    const big = await raw.fail('tools/call', { name: 'noted', task: {}, _meta: { big: 1n } })
    for (const ttl of [Infinity, NaN]) {
      const error = await raw.fail('tools/call', { name: 'noted', task: { ttl } })
      expect(error).toMatchObject({ code: -32602, data: { code: 'not_json', path: 'params.task.ttl' } })
    }
    expect(big).toMatchObject({ code: -32602, data: { code: 'not_json', path: 'params._meta.big' } })
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: [] })
    expect(ran).toEqual([])
  })

  test('of a cancellation are nothing to stumble over', async () => {
    const raw = await rawTab(new World({ tools }))
    for (const params of [{}, { requestId: null }, { requestId: 'never' }, { requestId: {} }]) {
      await raw.notify('notifications/cancelled', params)
    }
    expect(await raw.ok('tasks/list')).toMatchObject({ tasks: [] })
  })

  test('an unknown method of tasks is -32601', async () => {
    const raw = await rawTab(new World({ tools }))
    expect(await raw.fail('tasks/delete', { taskId: 'x' })).toMatchObject({ code: -32601 })
    // A method of the later revision: the answer says that its envelope is missing.
    expect(await raw.fail('tasks/update', { taskId: 'x' })).toMatchObject({ code: -32602 })
  })
})
