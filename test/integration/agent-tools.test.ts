// agentTools: each tool is one call with one result, whatever library drives it.

import * as z from 'zod'
import { describe, expect, test, vi } from 'vitest'
import { agentTools, listTasks, type TaskInfo } from '../../src/index.js'
import { confirmDelete, gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'
import type { McpServerSetup } from '../../src/session/options.js'

const plain: McpServerSetup = (server) => {
  server.registerTool('plain', { description: 'No task', inputSchema: { n: z.number() } }, ({ n }) =>
    text(`plain ${n}`)
  )
}
const unanswered = () => new Promise<never>(() => undefined)

describe('agentTools', () => {
  test('lists every tool without saying how it runs', async () => {
    const { client } = await new World({
      tools: [confirmDelete, toolOf('quick', () => text('done'))],
      setup: plain
    }).tab()
    const tools = await agentTools(client).list()
    expect(tools.map(({ name }) => name).sort()).toEqual(['confirm_delete', 'plain', 'quick'])
    for (const tool of tools) expect(tool).not.toHaveProperty('execution')
    expect(tools.find(({ name }) => name === 'confirm_delete')).toMatchObject({ description: 'Asks before deleting' })
  })

  test('calls task tools as tasks and others plainly, without having listed them', async () => {
    const { client } = await new World({ tools: [confirmDelete], setup: plain }).tab({
      onelicit: () => ({ action: 'accept', content: { confirm: true } })
    })
    const tools = agentTools(client)
    expect(await tools.call('confirm_delete', { filename: 'a.txt' })).toMatchObject(text('Deleted a.txt'))
    expect(await tools.call('plain', { n: 1 })).toMatchObject(text('plain 1'))
    const { tasks } = await listTasks(client)
    expect(tasks.map(({ tool }) => tool)).toEqual(['confirm_delete'])
  })

  test('rejects with the server’s error for bad arguments of a task tool, and resolves with what a plain tool answers', async () => {
    const { client } = await new World({ tools: [confirmDelete], setup: plain }).tab()
    const tools = agentTools(client)
    await expect(tools.call('confirm_delete', { filename: 1 })).rejects.toMatchObject({ code: -32602 })
    expect(await tools.call('plain', { n: 'one' })).toMatchObject({ isError: true })
    expect(await tools.call('nothing')).toMatchObject({ isError: true })
  })

  test('resolves with the isError result of a tool that failed', async () => {
    const fails = toolOf('fails', () => Promise.reject(new Error('no disk')))
    const { client } = await new World({ tools: [fails] }).tab()
    expect(await agentTools(client).call('fails')).toMatchObject({ isError: true, ...text('no disk') })
  })

  test('tells the task’s states, the first with the id to resume by, and its progress', async () => {
    const step = gate()
    const tool = toolOf('counts', async (_, task) => {
      await step.opened
      task.progress({ progress: 1, total: 2 })
      await task.status('half')
      return text('counted')
    })
    const { client } = await new World({ tools: [tool] }).tab()
    const states: TaskInfo[] = []
    const progress: number[] = []
    const result = agentTools(client).call(
      'counts',
      {},
      {
        onstatus: (task) => states.push(task),
        onprogress: (now) => progress.push(now.progress)
      }
    )
    await vi.waitFor(() => expect(states).toHaveLength(1))
    step.open()
    expect(await result).toMatchObject(text('counted'))
    expect(states[0]).toMatchObject({ status: 'working', taskId: expect.any(String) })
    expect(states.at(-1)).toMatchObject({ status: 'completed' })
    expect(progress).toEqual([1])
  })

  test('what onstatus throws goes to onerror, and the call goes on', async () => {
    const { client } = await new World({ tools: [toolOf('quick', () => text('done'))] }).tab()
    const errors: Error[] = []
    client.onerror = (error) => errors.push(error)
    const onstatus = (): void => {
      throw new Error('mine')
    }
    expect(await agentTools(client).call('quick', {}, { onstatus })).toMatchObject(text('done'))
    expect(errors.map(({ message }) => message)).toContain('mine')
  })

  test('goes on when the worker dies in mid-call', async () => {
    const world = new World({
      tools: [
        toolOf('survives', async (_, task) => text(`run ${task.attempt}${await wait(task.attempt)}`), {
          onInterrupt: 'resume'
        })
      ]
    })
    const begun = gate()
    const wait = (attempt: number): Promise<string> =>
      attempt > 1 ? Promise.resolve('') : (begun.open(), unanswered())
    const { client } = await world.tab()
    const result = agentTools(client).call('survives')
    await begun.opened
    world.living().kill()
    expect(await result).toMatchObject(text('run 2'))
  })

  test.each(['a call', 'a resumed call'])(
    'an abort of %s cancels the task and rejects at once with its reason',
    async (kind) => {
      const { client } = await new World({ tools: [toolOf('endless', unanswered)] }).tab()
      const tools = agentTools(client)
      const controller = new AbortController()
      const { signal } = controller
      const states: TaskInfo[] = []
      const onstatus = (task: TaskInfo): void => void states.push(task)
      const first = tools.call('endless', {}, kind === 'a call' ? { signal, onstatus } : { onstatus })
      await vi.waitFor(() => expect(states).toHaveLength(1))
      const followed = kind === 'a call' ? first : tools.resume(String(states[0]?.taskId), { signal, onstatus })
      if (kind !== 'a call') await vi.waitFor(() => expect(states).toHaveLength(2))
      const reason = new Error('stop')
      controller.abort(reason)
      await expect(followed).rejects.toBe(reason)
      await vi.waitFor(async () => expect((await listTasks(client)).tasks[0]).toMatchObject({ status: 'cancelled' }))
      if (kind !== 'a call') expect(await first).toMatchObject({ isError: true })
    }
  )

  test('an abort before the call was made calls nothing', async () => {
    const { client } = await new World({ tools: [toolOf('endless', unanswered)] }).tab()
    await expect(agentTools(client).call('endless', {}, { signal: AbortSignal.abort() })).rejects.toThrow()
    expect((await listTasks(client)).tasks).toEqual([])
  })

  test('an abort while the call is on its way cancels the task that it makes', async () => {
    const world = new World({ tools: [toolOf('endless', unanswered)] })
    const { client } = await world.tab()
    const tools = agentTools(client)
    await tools.list()
    const controller = new AbortController()
    const stop = world.living().onpoint((point) => point === 'before:create' && controller.abort(new Error('stop')))
    await expect(tools.call('endless', {}, { signal: controller.signal })).rejects.toThrow('stop')
    stop()
    await vi.waitFor(async () => expect((await listTasks(client)).tasks[0]).toMatchObject({ status: 'cancelled' }))
  })

  test('resumes a task in another tab, and after a reload', async () => {
    const open = gate()
    const world = new World({ tools: [toolOf('waits', () => open.opened.then(() => text('at last')))] })
    const first = await world.tab()
    const states: TaskInfo[] = []
    agentTools(first.client)
      .call('waits', {}, { onstatus: (task) => void states.push(task) })
      .catch(() => undefined)
    await vi.waitFor(() => expect(states).toHaveLength(1))
    await first.close()
    const { client } = await world.tab()
    const resumed = agentTools(client).resume(String(states[0]?.taskId))
    open.open()
    expect(await resumed).toMatchObject(text('at last'))
    await expect(agentTools(client).resume('nothing')).rejects.toMatchObject({ code: -32602 })
  })

  test('calls a tool the other way once a newer worker says that it runs so', async () => {
    const world = new World({ tools: [toolOf('changes', () => text('task'))] })
    const { client, transport } = await world.tab()
    const tools = agentTools(client)
    await tools.call('changes')
    world.living().kill()
    world.worker({
      tools: [],
      setup: (server) => void server.registerTool('changes', {}, () => text('plain'))
    })
    await vi.waitFor(() => expect(transport.state).toBe('connected'))
    expect(await tools.call('changes')).toMatchObject(text('plain'))
  })
})
