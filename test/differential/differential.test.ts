// The same script of a client against intab and against the SDK's own task server. Every difference is known, has a
// reason, and stands in docs/differences.md.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { taskTool } from '../../src/tool/tool.js'
import type { FormParams } from '../../src/tasks/task-context.js'
import { World } from '../support/world.js'
import { actions } from './actions.js'
import { observe } from './observe.js'
import { sdkServer } from './sdk-server.js'
import { pollInterval, registerPlain, specs } from './tools.js'

interface Difference {
  ours: unknown
  sdk: unknown
  why: string
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const known = JSON.parse(read('known.json')) as Record<string, Difference>

interface Observed {
  ours: Record<string, unknown>
  theirs: Record<string, unknown>
}

let observed: Promise<Observed> | undefined

/** Once for all tests: the actions build on each other. */
function observeBoth(): Promise<Observed> {
  observed ??= (async () => {
    const world = new World({
      setup: registerPlain,
      tools: specs.map(({ name, taskSupport, inputSchema, run }) =>
        taskTool(name, { taskSupport, inputSchema, pollInterval }, (args, task) =>
          run(args, (params) => task.elicit(params as FormParams))
        )
      )
    })
    const ours = await observe(world.transport().transport)
    const sdk = await sdkServer()
    const theirs = await observe(sdk.transport)
    await sdk.close()
    return { ours, theirs }
  })()
  return observed
}

describe('what a client sees of intab and of the SDK', { timeout: 60_000 }, () => {
  test.each(Object.keys(actions))('%s', async (name) => {
    const { ours, theirs } = await observeBoth()
    const difference = known[name]
    if (difference === undefined) expect(ours[name]).toEqual(theirs[name])
    else expect({ ours: ours[name], sdk: theirs[name] }).toEqual({ ours: difference.ours, sdk: difference.sdk })
  })
})

test('every known difference is one, has a reason, and is in the docs', () => {
  const docs = read('../../docs/differences.md')
  for (const [name, { ours, sdk, why }] of Object.entries(known)) {
    expect(Object.keys(actions)).toContain(name)
    expect(ours).not.toEqual(sdk)
    expect(docs).toContain(`| ${name} | ${why} |`)
  }
})
