import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { capabilitiesOf } from '../../src/session/capabilities.js'
import { assertCan } from '../../src/tasks/input-request.js'
import type { Capability } from '../../src/types.js'
import { rawTab } from '../support/raw-tab.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

describe('what the server declares', () => {
  test('SP-002 SP-003 SP-004 SP-007 SV-05 tasks: list, cancel and calls of tools', async () => {
    const raw = await rawTab(new World({ tools: [toolOf('x', () => text('x'))] }), { initialize: false })
    const clientInfo = { name: 'raw', version: '1' }
    const { capabilities } = await raw.ok('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    expect(capabilities).toMatchObject({
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      tools: {}
    })
  })

  test("RT-03 RT-05 beside what setup's own handlers bring, which go on working", async () => {
    const world = new World({
      tools: [toolOf('x', () => text('x'))],
      setup: (server) => {
        server.registerResource('note', 'note://1', {}, () => ({ contents: [{ uri: 'note://1', text: 'hi' }] }))
      }
    })
    const { client } = await world.tab()
    expect(client.getServerCapabilities()).toMatchObject({
      tasks: { requests: { tools: { call: {} } } },
      resources: {}
    })
    expect(await client.readResource({ uri: 'note://1' })).toMatchObject({ contents: [{ text: 'hi' }] })
  })
})

describe('what a client declares', () => {
  const create = {}
  const cases: [string, ClientCapabilities | undefined, Capability[]][] = [
    ['CC-01 CP-12 RC-04 SP-009 nothing', {}, []],
    ['RC-05 CP-02 nothing at all, before it introduced itself', undefined, []],
    ['forms, as clients before URL mode said it', { elicitation: {} }, ['elicitation.form']],
    ['forms', { elicitation: { form: {} } }, ['elicitation.form']],
    ['URLs only', { elicitation: { url: {} } }, ['elicitation.url']],
    ['forms and URLs', { elicitation: { form: {}, url: {} } }, ['elicitation.form', 'elicitation.url']],
    ['sampling', { sampling: {} }, ['sampling']],
    ['sampling with tools', { sampling: { tools: {} } }, ['sampling', 'sampling.tools']],
    [
      'CC-02 CC-03 CP-13 tasks that can be listed and cancelled, no kind of which it hosts',
      { tasks: { list: {}, cancel: {} } },
      []
    ],
    [
      'CP-14 CP-15 CP-19 CP-20 kinds of requests without the request itself',
      { tasks: { requests: { elicitation: {}, sampling: {} } } },
      []
    ],
    [
      'CP-16 CP-05 RC-03 tasks of elicitation',
      { tasks: { requests: { elicitation: { create } } } },
      ['tasks.elicitation']
    ],
    [
      'CC-04 CP-21 CP-08 CP-17 tasks of sampling',
      { tasks: { requests: { sampling: { createMessage: create } } } },
      ['tasks.sampling']
    ],
    ['CP-18 no requests', { tasks: { requests: {} } }, []]
  ]
  test.each(cases)('%s', (_, declared, can) => {
    expect(capabilitiesOf(declared)).toEqual(can)
  })
})

describe('a question', () => {
  const can = (declared: ClientCapabilities, ...needs: Capability[]) => {
    try {
      assertCan(capabilitiesOf(declared), needs)
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'missing_capability' })
      return false
    }
  }
  const elicitation = { tasks: { requests: { elicitation: { create: {} } } } }
  const sampling = { tasks: { requests: { sampling: { createMessage: {} } } } }

  test('CP-01 that needs nothing can be asked of everybody', () => {
    expect(can({})).toBe(true)
  })

  test('CP-24 CP-27 can be asked of whoever declared it', () => {
    expect(can({ elicitation: { form: {} } }, 'elicitation.form')).toBe(true)
    expect(can({ sampling: {} }, 'sampling')).toBe(true)
  })

  test('CP-03 CP-04 CP-06 CP-07 as a task cannot be asked of a client that lacks it, or names only its kind', () => {
    expect(can(sampling, 'tasks.elicitation')).toBe(false)
    expect(can({ tasks: { requests: { elicitation: {} } } }, 'tasks.elicitation')).toBe(false)
    expect(can(elicitation, 'tasks.sampling')).toBe(false)
    expect(can({ tasks: { requests: { sampling: {} } } }, 'tasks.sampling')).toBe(false)
  })

  test('CP-09 CP-10 CP-11 as a task can be asked of a client that declared it, or both', () => {
    const both = { tasks: { requests: { ...elicitation.tasks.requests, ...sampling.tasks.requests } } }
    expect(can(both, 'tasks.elicitation', 'tasks.sampling')).toBe(true)
    expect(can(elicitation, 'tasks.elicitation')).toBe(true)
    expect(can(sampling, 'tasks.sampling')).toBe(true)
  })
})
