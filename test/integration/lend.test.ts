// Tools that tabs lend: listed by the worker, called in a tab, by clients and from a task.

import { describe, expect, test, vi } from 'vitest'
import { agentTools, runTask } from '../../src/index.js'
import { lendTools } from '../../src/lend.js'
import { gate, text, toolOf } from '../support/tools.js'
import { type Tab, World } from '../support/world.js'

const never = () => new Promise<never>(() => undefined)
const names = async ({ client }: Tab): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name)
const title = (value: string) => ({
  name: 'page_title',
  description: 'The title of the page',
  annotations: { readOnlyHint: true },
  run: () => text(value)
})

/** Asks a tab from a task. */
const asks = toolOf(
  'asks',
  async (_, task) => text(`asked: ${JSON.stringify((await task.callTab('page_title')).content)}`),
  {
    onInterrupt: 'resume'
  }
)

describe('a tool that a tab lends', () => {
  test('is listed among the worker’s own, and called from any tab, plainly and as a task', async () => {
    const world = new World({ tools: [toolOf('own', () => text('own'))] })
    const [one, two] = [await world.tab(), await world.tab()]
    await lendTools(one.client, [title('One')])
    expect(await names(two)).toEqual(['own', 'page_title'])
    const { tools } = await two.client.listTools()
    expect(tools[1]).toMatchObject({ description: 'The title of the page', annotations: { readOnlyHint: true } })
    expect(await two.client.callTool({ name: 'page_title' })).toMatchObject(text('One'))
    expect(await agentTools(two.client).call('page_title')).toMatchObject(text('One'))
    const run = await runTask(one.client, { name: 'page_title' })
    expect(await run.result()).toMatchObject(text('One'))
  })

  test('is listed by a worker without tools of its own', async () => {
    const tab = await new World().tab()
    expect(await names(tab)).toEqual([])
    await lendTools(tab.client, [title('One')])
    expect(await names(tab)).toEqual(['page_title'])
  })

  test('is listed once, however many lend it, until the last stops; all tabs hear of both', async () => {
    const world = new World()
    const [one, two, three] = [await world.tab(), await world.tab(), await world.tab()]
    const changed = vi.fn<() => void>()
    three.client.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed') changed()
    }
    expect(await names(three)).toEqual([])
    const stop = await lendTools(one.client, [title('One')])
    const leave = new AbortController()
    await lendTools(two.client, [title('Two')], { signal: leave.signal })
    expect(await names(three)).toEqual(['page_title'])
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1))
    stop()
    await vi.waitFor(async () => expect(await agentTools(three.client).call('page_title')).toMatchObject(text('Two')))
    leave.abort()
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2))
    expect(await names(three)).toEqual([])
    expect(await three.client.callTool({ name: 'page_title' })).toMatchObject({ isError: true })
  })

  test('goes with the tab that lends it', async () => {
    const world = new World()
    const [one, two] = [await world.tab(), await world.tab()]
    await lendTools(one.client, [title('One')])
    one.crash()
    await vi.waitFor(async () => expect(await names(two)).toEqual([]))
  })

  test('gets only arguments that fit, and its failures are isError results', async () => {
    const tab = await new World().tab()
    const ran = vi.fn<(args: object) => never>(() => {
      throw new Error('no such field')
    })
    const inputSchema = { type: 'object' as const, properties: { field: { type: 'string' } }, required: ['field'] }
    await lendTools(tab.client, [{ name: 'fill', inputSchema, run: ran }])
    expect(await tab.client.callTool({ name: 'fill', arguments: { field: 1 } })).toMatchObject({ isError: true })
    await expect(runTask(tab.client, { name: 'fill' })).rejects.toMatchObject({ code: -32602 })
    expect(ran).not.toHaveBeenCalled()
    expect(await tab.client.callTool({ name: 'fill', arguments: { field: 'name' } })).toMatchObject({
      isError: true,
      ...text('no such field')
    })
    expect(ran).toHaveBeenCalledTimes(1)
  })

  test('that returns what no port can carry fails, and says where', async () => {
    const tab = await new World().tab()
    await lendTools(tab.client, [{ name: 'odd', run: () => ({ content: [], structuredContent: { at: () => 1 } }) }])
    const result = await tab.client.callTool({ name: 'odd' })
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toContain('The result of odd.structuredContent.at')
  })

  test('has a name of its own: the worker’s win, those of setup as well, and nothing is lent then', async () => {
    const world = new World({
      tools: [toolOf('own', () => text('own'))],
      setup: (server) => void server.registerTool('plain', {}, () => text('plain'))
    })
    const tab = await world.tab()
    for (const name of ['own', 'plain']) {
      const lending = lendTools(tab.client, [{ ...title('One'), name }, title('One')])
      await expect(lending).rejects.toMatchObject({ code: -32602, data: { code: 'duplicate_tool', names: [name] } })
    }
    expect(await names(tab)).toEqual(['own', 'plain'])
    await lendTools(tab.client, [title('One')])
    await expect(lendTools(tab.client, [title('Two')])).rejects.toMatchObject({ code: 'duplicate_tool' })
    expect(await tab.client.callTool({ name: 'page_title' })).toMatchObject(text('One'))
  })

  test.each([
    [{ name: '', run: never }, /needs a name/],
    [{ name: 'x', run: 1 as never }, /needs a name and a function run/],
    [{ name: 'x', run: never, inputSchema: { type: 'string' } as never }, /type 'object' \(got "string"\)/]
  ])('is refused when it is malformed: %j', async (tool, says) => {
    const tab = await new World().tab()
    await expect(lendTools(tab.client, [tool])).rejects.toThrow(says)
    expect(await names(tab)).toEqual([])
  })

  test('is called several times at once: a call that hangs holds up no other', async () => {
    const tab = await new World().tab()
    const open = gate()
    await lendTools(tab.client, [
      { name: 'hangs', run: () => open.opened.then(() => text('late')) },
      { name: 'quick', run: () => text('quick') }
    ])
    const late = tab.client.callTool({ name: 'hangs' })
    expect(await tab.client.callTool({ name: 'quick' })).toMatchObject(text('quick'))
    open.open()
    expect(await late).toMatchObject(text('late'))
  })

  test('is told when its call is cancelled', async () => {
    const tab = await new World().tab()
    const begun = gate<AbortSignal>()
    await lendTools(tab.client, [{ name: 'hangs', run: (_, { signal }) => (begun.open(signal), never()) }])
    const stop = new AbortController()
    const call = agentTools(tab.client).call('hangs', {}, { signal: stop.signal })
    const signal = await begun.opened
    stop.abort(new Error('stop'))
    await expect(call).rejects.toThrow('stop')
    await vi.waitFor(() => expect(signal.aborted).toBe(true))
  })

  test('is seen, called and answered by nobody but its owner', async () => {
    const world = new World({ tools: [asks], owner: ({ data }) => JSON.stringify(data) })
    const [ann, bob] = [await world.tab({ data: 'ann' }), await world.tab({ data: 'bob' })]
    await lendTools(ann.client, [title('Ann’s')])
    expect(await names(bob)).toEqual(['asks'])
    expect(await bob.client.callTool({ name: 'page_title' })).toMatchObject({ isError: true })
    const run = await runTask(bob.client, { name: 'asks' })
    await lendTools(bob.client, [title('Bob’s')])
    expect(JSON.stringify(await run.result())).toContain('Bob’s')
  })

  test('goes to the next tab by the page’s own word when the first stopped lending it meanwhile', async () => {
    const world = new World()
    const [one, two] = [await world.tab(), await world.tab()]
    const ran: string[] = []
    const stop = await lendTools(one.client, [{ name: 'x', run: () => (ran.push('one'), text('one')) }])
    // The call is on its way when the tab withdraws the tool.
    world.living().onpoint((point) => point === 'send:intab/lent/call' && stop())
    const call = two.client.callTool({ name: 'x' })
    await vi.waitFor(async () => expect((await names(two)).length).toBe(0))
    await lendTools(two.client, [{ name: 'x', run: () => (ran.push('two'), text('two')) }])
    expect(await call).toMatchObject(text('two'))
    expect(ran).toEqual(['two'])
  })
})

describe('a tab that goes while it runs a call', () => {
  test.each([{ readOnlyHint: true }, { idempotentHint: true }])(
    'another gets it, if the tool is %j',
    async (annotations) => {
      const world = new World()
      const [one, two] = [await world.tab(), await world.tab()]
      const begun = gate()
      await lendTools(one.client, [{ name: 'x', annotations, run: () => (begun.open(), never()) }])
      const call = two.client.callTool({ name: 'x' })
      await begun.opened
      await lendTools(two.client, [{ name: 'x', annotations, run: () => text('two') }])
      one.crash()
      expect(await call).toMatchObject(text('two'))
    }
  )

  test.each(['crash', 'close'] as const)(
    'the call of any other tool fails, and says what may have run (%s)',
    async (end) => {
      const world = new World()
      const [one, two] = [await world.tab(), await world.tab()]
      const begun = gate<AbortSignal>()
      const ran = vi.fn<() => void>()
      await lendTools(one.client, [{ name: 'x', run: (_, { signal }) => (begun.open(signal), never()) }])
      const call = two.client.callTool({ name: 'x' })
      const signal = await begun.opened
      await lendTools(two.client, [{ name: 'x', run: () => (ran(), text('two')) }])
      await one[end]()
      await expect(call).rejects.toMatchObject({ data: { code: 'may_have_run', tool: 'x' } })
      expect(ran).not.toHaveBeenCalled()
      if (end === 'close') expect(signal.aborted).toBe(true)
    }
  )
})
