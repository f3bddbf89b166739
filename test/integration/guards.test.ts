// Mistakes that a host makes, told at once and in words that say what to do.

import { ListTasksResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { deleteDB } from 'idb'
import * as z from 'zod'
import { expect, test } from 'vitest'
import { deleteTask, listTasks, runTask } from '../../src/index.js'
import { serve } from '../../src/session/serve.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const tool = (name: string) => toolOf(name, () => text('done'))

test('a tool of setup that has the name of a task tool is refused with duplicate_tool', async () => {
  const world = new World({
    tools: [tool('a')],
    setup: (server) => void server.registerTool('a', { inputSchema: { x: z.string() } }, () => text('plain'))
  })
  await expect(world.tab()).rejects.toMatchObject({ code: 'duplicate_tool', data: { name: 'a' } })
})

test('another error of setup stays what it is', async () => {
  const world = new World({
    tools: [tool('a')],
    setup: () => {
      throw new Error('no such file')
    }
  })
  await expect(world.tab()).rejects.toThrow('no such file')
})

test('a second serve at one door is refused, and the first goes on', async () => {
  const world = new World({ tools: [tool('a')] })
  const { scope } = world.worker()
  expect(() => serve({ name: 'two', version: '1', scope })).toThrow('twice')
  const { client } = await world.tab()
  expect((await client.listTools()).tools).toHaveLength(1)
})

test.each([0, -1, Number.NaN])('a limit of %s is refused with invalid_options', async (unfinished) => {
  const world = new World({ limits: { unfinished } })
  await expect(world.tab()).rejects.toMatchObject({ code: 'invalid_options' })
})

test.each([
  { ttl: { default: Number.NaN } },
  { ttl: { max: Number.NaN } },
  { ttl: { max: -1 } },
  { deliveryGrace: Number.NaN }
])('a time that is none is refused with invalid_options: %o', async (options) => {
  await expect(new World(options).tab()).rejects.toMatchObject({ code: 'invalid_options' })
})

test.each([
  { ttl: Number.NaN },
  { ttl: Infinity },
  { pollInterval: Number.NaN },
  { pollInterval: -1 },
  { onInterrupt: 'Resume' as 'resume' }
])('a tool of such a setting is refused with invalid_options: %o', (config) => {
  expect(() => toolOf('odd', () => text(''), config)).toThrow(expect.objectContaining({ code: 'invalid_options' }))
})

test('a status that is no text, or progress that is no number, reaches no client, and is told', async () => {
  const refused: unknown[] = []
  const careless = toolOf('careless', async (_, task) => {
    await task.status(5 as never).catch((error: { code: unknown }) => refused.push(error.code))
    task.progress({ progress: 'x' as never })
    return text('done')
  })
  const world = new World({ tools: [careless] })
  const { client } = await world.tab()
  await (await runTask(client, { name: 'careless' })).result()
  expect(refused).toEqual(['invalid_options'])
  expect(world.living().eventsOf('error')).toMatchObject([{ while: 'progress', error: { code: 'invalid_options' } }])
  await expect(client.request({ method: 'tasks/list' }, ListTasksResultSchema)).resolves.toBeDefined()
})

test('a sleep or a timeout that is no time is refused at once, and nothing is asked', async () => {
  const careless = toolOf('careless', async (_, task) => {
    const form = { message: '?', requestedSchema: { type: 'object' as const, properties: {} } }
    const refused = [
      task.sleep(Infinity),
      task.elicit(form, { timeout: -1 }),
      task.elicit(form, { timeout: Number.NaN })
    ]
    const codes = await Promise.all(
      refused.map((promise) => promise.then(String, (error: { code: string }) => error.code))
    )
    return text(codes.join())
  })
  const world = new World({ tools: [careless] })
  const asked: string[] = []
  const { client } = await world.tab({ onelicit: (_params, id) => (asked.push(id), { action: 'decline' }) })
  const run = await runTask(client, { name: 'careless' })
  expect(await run.result()).toMatchObject(text('invalid_options,invalid_options,invalid_options'))
  expect(asked).toEqual([])
})

test('iterating a run whose task is deleted throws, as its result does', async () => {
  const started = gate()
  const world = new World({ tools: [toolOf('forever', () => (started.open(), new Promise(() => undefined)))] })
  const { client } = await world.tab()
  const run = await runTask(client, { name: 'forever' })
  const states = (async () => {
    for await (const task of run) expect(task.status).toBe('working')
  })()
  const failed = expect(states).rejects.toThrow('was deleted')
  await started.opened
  await deleteTask(client, run.taskId)
  await failed
})

test('a database that is deleted is told as that, not as a newer version', async () => {
  const world = new World({ tools: [tool('a')] })
  const { client } = await world.tab()
  await listTasks(client)
  await deleteDB(world.name)
  expect(await listTasks(client)).toEqual({ tasks: [] })
  expect(world.living().eventsOf('lost')[0]?.reason).toContain('deleted')
  expect(world.living().eventsOf('superseded')).toEqual([])
})
