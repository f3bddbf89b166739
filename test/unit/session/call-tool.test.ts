import { expect, test } from 'vitest'
import { IntabError } from '../../../src/errors.js'
import { callTool } from '../../../src/session/call-tool.js'
import type { Hub } from '../../../src/session/hub.js'
import type { Session } from '../../../src/session/session.js'
import type { End } from '../../../src/tasks/outcome.js'
import { openEngine } from '../../support/engine.js'
import { text, toolOf } from '../../support/tools.js'

test('a task that is stored only after its caller was told that the store is busy does not stay: nobody runs it', async () => {
  const engine = await openEngine()
  const ids: string[] = []
  const hub = {
    ...engine,
    tools: new Map([['work', toolOf('work', () => text('done'))]]),
    options: {},
    executor: 'executor-1',
    runner: { reserve: () => undefined, release: () => undefined },
    endTask: async (taskId: string, end: End) => void (await engine.tasks.finish({ taskId }, end)),
    tasks: {
      ...engine.tasks,
      create: async (...args: Parameters<typeof engine.tasks.create>) => {
        const { task } = await engine.tasks.create(...args)
        ids.push(task.taskId)
        throw new IntabError('storage_busy', 'The database did not answer within 10000 ms: try again')
      }
    }
  } as unknown as Hub
  const session = { owner: 'ann', id: 's', connection: 'c', can: [] } as unknown as Session
  const { answer } = callTool(hub, session, async () => new Set())
  const request = { id: 1, params: { name: 'work', arguments: {}, task: {} }, signal: new AbortController().signal }
  await expect(answer(request)).rejects.toMatchObject({ code: 'storage_busy' })
  await expect.poll(async () => (await engine.tasks.get(ids[0] ?? ''))?.status).toBe('failed')
})
