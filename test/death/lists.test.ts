// The worker that follows may list other tools, prompts and resources: it may be another build. A client that has read a list
// is told, as by a server that changes its list.

import { describe, expect, test } from 'vitest'
import type { McpServerSetup } from '../../src/session/options.js'
import { META } from '../../src/modern/keys.js'
import { ModernTab } from '../support/modern-tab.js'
import { rawTab } from '../support/raw-tab.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const hello = toolOf('hello', () => text('hello'))
const newer = toolOf('newer', () => text('newer'))

const setup =
  (prompt: string, resource: string): McpServerSetup =>
  (server) => {
    server.registerPrompt(prompt, {}, () => ({ messages: [] }))
    server.registerResource(resource, `test://${resource}`, {}, () => ({ contents: [] }))
  }

const told = (log: readonly object[]): string[] =>
  log.flatMap((message) => ('method' in message ? [String(message.method)] : [])).filter((of) => /list_/.test(of))

describe('a tab whose next worker lists something else', () => {
  test('is told so of the lists that it had read, and of no other', async () => {
    const world = new World()
    const first = world.worker({ tools: [hello], setup: setup('greet', 'a') })
    const tab = await rawTab(world)
    for (const list of ['tools', 'prompts']) await tab.ok(`${list}/list`)
    world.worker({ tools: [hello], setup: setup('part', 'b') })
    first.kill()
    await tab.next('notifications/prompts/list_changed')
    expect(told(tab.log)).toEqual(['notifications/prompts/list_changed'])
    expect(await tab.ok('prompts/list')).toMatchObject({ prompts: [{ name: 'part' }] })
  })

  test('is told so of tools and resources, and at the next death only of what changed again', async () => {
    const world = new World()
    const first = world.worker({ tools: [hello], setup: setup('greet', 'a') })
    const tab = await rawTab(world)
    for (const list of ['tools', 'resources']) await tab.ok(`${list}/list`)
    const second = world.worker({ tools: [hello, newer], setup: setup('greet', 'b') })
    first.kill()
    await tab.next('notifications/tools/list_changed')
    await tab.next('notifications/resources/list_changed')
    world.worker({ tools: [hello], setup: setup('greet', 'b') })
    second.kill()
    await tab.next('notifications/tools/list_changed')
    expect(told(tab.log).filter((method) => method.includes('resources'))).toHaveLength(1)
  })

  test('is told so on what it listens to, since 2026-07-28', async () => {
    const world = new World()
    const first = world.worker({ tools: [hello] })
    const tab = new ModernTab(await rawTab(world, { initialize: false }), {})
    await tab.ok('tools/list')
    const { id } = tab.ask('subscriptions/listen', { notifications: { toolsListChanged: true } })
    await tab.raw.next('notifications/subscriptions/acknowledged')
    world.worker({ tools: [newer] })
    first.kill()
    const { params } = await tab.raw.next('notifications/tools/list_changed')
    expect(params._meta).toEqual({ [META.subscription]: id })
  })
})
