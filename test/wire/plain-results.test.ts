import { describe, expect, test } from 'vitest'
import { modernTab } from '../support/modern-tab.js'
import { rawTab } from '../support/raw-tab.js'
import { text } from '../support/tools.js'
import { World } from '../support/world.js'

const cycle: Record<string, unknown> = { name: 'a' }
cycle['self'] = cycle

/** What a plain tool may return by mistake, and the path that the error names. */
const returned: [what: string, extra: Record<string, unknown>, path: string][] = [
  ['a bigint', { _meta: { big: 1n } }, 'result._meta.big'],
  ['a cycle', { _meta: { a: cycle } }, 'result._meta.a.self'],
  ['a Date', { structuredContent: { at: new Date(0) } }, 'result.structuredContent.at'],
  ['a Map', { structuredContent: { rows: [new Map()] } }, 'result.structuredContent.rows[0]'],
  ['NaN', { structuredContent: { n: NaN } }, 'result.structuredContent.n'],
  ['a function', { _meta: { f: () => 1 } }, 'result._meta.f']
]

describe('a plain tool of the SDK', () => {
  test.each(returned)(
    'that returns %s is answered with not_json, which names the path, in both revisions',
    async (_, extra, path) => {
      const world = new World({
        setup: (server) => {
          server.registerTool('odd', {}, () => ({ ...text('odd'), ...extra }))
          server.registerTool('even', {}, () => text('even'))
        }
      })
      const raw = await rawTab(world)
      const error = await raw.fail('tools/call', { name: 'odd' })
      expect(error).toMatchObject({ code: -32602, data: { code: 'not_json', path } })
      expect(error.message).toContain(`${path} is `)
      expect(await raw.ok('tools/call', { name: 'even' })).toEqual(text('even'))

      const modern = await modernTab(world)
      expect(await modern.fail('tools/call', { name: 'odd' })).toMatchObject(error)
      expect(await modern.ok('tools/call', { name: 'even' })).toMatchObject(text('even'))
    }
  )

  test('that logs what is not JSON hears of it, and its client gets the result', async () => {
    const world = new World({
      setup: (server) => {
        server.registerTool('logs', {}, () =>
          server.server.sendLoggingMessage({ level: 'error', data: { big: 1n } }).then(
            () => text('logged'),
            (error: Error) => text(error.message)
          )
        )
      }
    })
    const raw = await rawTab(world)
    expect(await raw.ok('tools/call', { name: 'logs' })).toMatchObject(
      text(expect.stringContaining('params.data.big is a bigint') as unknown as string)
    )
    expect(raw.heard('notifications/message')).toEqual([])
  })
})
