// A task calls a tool of a tab: it waits for one, survives its worker, and the page runs it once.

import { describe, expect, test, vi } from 'vitest'
import { agentTools, describeTask, listQuestions, listTasks, runTask } from '../../src/index.js'
import { lendTools } from '../../src/lend.js'
import { gate, text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const never = () => new Promise<never>(() => undefined)
const title = (value: string) => ({ name: 'page_title', annotations: { readOnlyHint: true }, run: () => text(value) })

/** Asks a tab from a task. */
const asks = toolOf(
  'asks',
  async (_, task) => text(`asked: ${JSON.stringify((await task.callTab('page_title')).content)}`),
  { onInterrupt: 'resume' }
)

describe('task.callTab', () => {
  test('waits until a tab lends the tool; the task works meanwhile, and no question is open', async () => {
    const tab = await new World({ tools: [asks] }).tab()
    const run = await runTask(tab.client, { name: 'asks' })
    await vi.waitFor(async () => expect((await describeTask(tab.client, run.taskId)).messages).toHaveLength(1))
    expect((await listTasks(tab.client)).tasks[0]).toMatchObject({ status: 'working' })
    expect(await listQuestions(tab.client)).toEqual([])
    await lendTools(tab.client, [title('One')])
    expect(await run.result()).toMatchObject(text('asked: [{"type":"text","text":"One"}]'))
  })

  test('rejects when a tab does not answer in time, and names it', async () => {
    const impatient = toolOf('impatient', async (_, task) => {
      try {
        return text(JSON.stringify(await task.callTab('hangs', {}, { timeout: 1 })))
      } catch (error) {
        return text(`${(error as { code: number }).code} ${(error as Error).message}`)
      }
    })
    const tab = await new World({ tools: [impatient] }).tab()
    await lendTools(tab.client, [{ name: 'hangs', run: never }])
    const result = await agentTools(tab.client).call('impatient')
    expect(result).toMatchObject(text('-32001 The page "" did not answer a call of its tool hangs within 1 ms'))
  })

  test('gets the page’s answer in the next worker when the first dies in mid-call, and the page runs it once', async () => {
    const world = new World({ tools: [asks] })
    const tab = await world.tab()
    const open = gate()
    const begun = gate()
    const ran = vi.fn<() => void>()
    await lendTools(tab.client, [
      { name: 'page_title', run: () => (ran(), begun.open(), open.opened.then(() => text('once'))) }
    ])
    const result = agentTools(tab.client).call('asks')
    await begun.opened
    world.living().kill()
    open.open()
    expect(JSON.stringify(await result)).toContain('once')
    expect(ran).toHaveBeenCalledTimes(1)
  })

  test('a question beside it is a question all the same', async () => {
    const both = toolOf('both', async (_, task) => {
      const requestedSchema = { type: 'object' as const, properties: {} }
      const [, answer] = await Promise.all([task.callTab('page_title'), task.elicit({ message: '?', requestedSchema })])
      return text(answer.action)
    })
    const open = gate()
    const tab = await new World({ tools: [both] }).tab({
      onelicit: () => open.opened.then(() => ({ action: 'decline' as const }))
    })
    const statuses: string[] = []
    const result = agentTools(tab.client).call('both', {}, { onstatus: ({ status }) => statuses.push(status) })
    await vi.waitFor(() => expect(statuses.at(-1)).toBe('input_required'))
    expect(await listQuestions(tab.client)).toHaveLength(1)
    open.open()
    await vi.waitFor(() => expect(statuses.at(-1)).toBe('working'))
    await lendTools(tab.client, [title('One')])
    expect(await result).toMatchObject(text('decline'))
  })
})
