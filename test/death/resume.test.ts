import { describe, expect, test } from 'vitest'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { describeTask, followTask, runTask } from '../../src/index.js'
import { text, toolOf } from '../support/tools.js'
import { World } from '../support/world.js'

const resume = { onInterrupt: 'resume', taskSupport: 'required' } as const
const form = { type: 'object', properties: {} } as const
const accept = () => ({ action: 'accept' as const, content: {} })

/** Runs a resuming tool in a worker that dies once, when the handler of the first attempt asks for it. */
async function dieOnce(
  handler: (
    die: () => Promise<never>,
    task: Parameters<Parameters<typeof toolOf>[1]>[1]
  ) => Promise<ReturnType<typeof text>>,
  config: Partial<Parameters<typeof toolOf>[2]> = {}
) {
  let attempts = 0
  const world: World = new World({
    tools: [
      toolOf(
        'work',
        (_, task) => {
          attempts++
          const die = (): Promise<never> => {
            world.living().kill()
            return new Promise(() => undefined)
          }
          return handler(die, task)
        },
        { ...resume, ...config }
      )
    ]
  })
  const asked: string[] = []
  const tab = await world.tab({ onelicit: ({ message }) => (asked.push(message), accept()) })
  const run = await runTask(tab.client, { name: 'work' })
  return { world, run, result: await run.result(), asked, attempts: () => attempts }
}

describe('a run that goes on after its worker died', () => {
  test('counts its attempts, and gets the values of its steps, also of one that returned nothing', async () => {
    const ran: string[] = []
    const { result, attempts } = await dieOnce(async (die, task) => {
      const value = await task.step('value', () => (ran.push('value'), { deep: [1, 'two'] }))
      const nothing = await task.step('nothing', () => void ran.push('nothing'))
      if (task.attempt === 1) return die()
      return text(JSON.stringify([task.attempt, value, nothing ?? 'nothing']))
    })
    expect(result).toMatchObject(text('[2,{"deep":[1,"two"]},"nothing"]'))
    expect(ran).toEqual(['value', 'nothing'])
    expect(attempts()).toBe(2)
  })

  test('R11 sends its notifications once, however often its worker dies', async () => {
    const runs = 6
    const heard: unknown[] = []
    const world: World = new World({
      limits: { messages: 4 },
      tools: [
        toolOf(
          'work',
          async (_, task) => {
            for (const data of ['one', 'two', `run ${task.attempt}`])
              await task.notify({ method: 'notifications/message', params: { level: 'info', data } })
            // It gets further each time.
            await task.step(`run ${task.attempt}`, () => undefined)
            if (task.attempt === runs) return text('done')
            world.living().kill()
            return new Promise(() => undefined)
          },
          resume
        )
      ]
    })
    const { client } = await world.tab()
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.data))
    const run = await runTask(client, { name: 'work' })
    expect(await run.result()).toMatchObject(text('done'))
    const { messages } = await describeTask(client, run.taskId)
    expect(messages.map(({ params }) => params?.data)).toEqual(['one', 'two', `run ${runs}`])
    expect(heard.filter((data) => data === 'two')).toHaveLength(1)
    expect(heard.at(-1)).toBe(`run ${runs}`)
  })

  test('sleeps on until the time that was stored, not anew', async () => {
    const day = 24 * 60 * 60 * 1000
    const { result } = await dieOnce(async (die, task) => {
      const started = await task.step('now', () => Date.now())
      if (task.attempt === 1) {
        const sleeping = task.sleep(300)
        // Writes are kept in order: the wake-up time is stored when this is.
        await task.status('sleeping')
        await Promise.race([sleeping, die()])
      }
      await task.sleep(day)
      return text(String(Date.now() - started < 5000))
    })
    expect(result).toMatchObject(text('true'))
  })

  test('finds the answer to a question that was answered before, and asks nothing twice', async () => {
    const { result, asked } = await dieOnce(async (die, task) => {
      const { action } = await task.elicit({ message: 'first?', requestedSchema: form })
      if (task.attempt === 1) return die()
      await task.elicit({ message: 'second?', requestedSchema: form })
      return text(action)
    })
    expect(result).toMatchObject(text('accept'))
    expect(asked).toEqual(['first?', 'second?'])
  })

  test('asks several keyed questions at once, each once', async () => {
    const { result, asked } = await dieOnce(async (die, task) => {
      const ask = (key: string) => task.elicit({ message: key, requestedSchema: form }, { key })
      const keys = task.attempt === 1 ? ['a', 'b', 'c'] : ['c', 'b', 'a']
      const answers = await Promise.all(keys.map(ask))
      if (task.attempt === 1) return die()
      return text(answers.map(({ action }) => action).join())
    })
    expect(result).toMatchObject(text('accept,accept,accept'))
    expect(asked.sort()).toEqual(['a', 'b', 'c'])
  })

  test('is failed when it asks something else than was recorded under the key', async () => {
    const { result, run } = await dieOnce(async (die, task) => {
      const message = `attempt ${task.attempt}`
      await task.elicit({ message, requestedSchema: form }).catch(() => new Promise(() => undefined))
      if (task.attempt === 1) return die()
      return text('not reached')
    })
    expect(result).toMatchObject({ isError: true })
    expect(run.task.status).toBe('failed')
    expect(run.task.statusMessage).toContain('elicit#1')
  })

  test('F18 ends after maxAttempts: a task that kills its worker cannot do so for ever', async () => {
    const { result, run, attempts } = await dieOnce((die) => die(), { maxAttempts: 2 })
    expect(attempts()).toBe(2)
    expect(result.isError).toBe(true)
    expect(run.task.statusMessage).toMatch(/^The worker that ran this task stopped before it finished.*2 times/)
  })
})

describe('a run that waits', () => {
  const waits: [string, Parameters<typeof toolOf>[1]][] = [
    ['for a person', async (_, task) => text((await task.elicit({ message: '?', requestedSchema: form })).action)],
    ['for a time', async (_, task) => (await task.sleep(3_600_000), text('woke'))]
  ]
  test.each(waits)('%s is no reason to give up, however often its worker dies', async (_, handler) => {
    const world = new World({ tools: [toolOf('waits', handler, { ...resume, maxAttempts: 2 })] })
    const asked: string[] = []
    const { client } = await world.tab({ onelicit: (_params, id) => (asked.push(id), new Promise(() => undefined)) })
    const run = await runTask(client, { name: 'waits' })
    const result = run.result()
    for (let deaths = 0; deaths < 5; deaths++) {
      const worker = world.living()
      await expect.poll(() => worker.points.filter((point) => /^committed:(ask|step)$/.test(point)).length).toBe(1)
      worker.kill()
      await expect.poll(() => world.workers.length).toBe(deaths + 2)
    }
    await expect.poll(async () => (await followTask(client, run.taskId)).task.attempt).toBe(6)
    expect(new Set(asked).size).toBeLessThanOrEqual(1)
    await run.cancel()
    expect((await result).isError).toBe(true)
  })
})

describe('keys', () => {
  const outcome = async (
    handler: Parameters<typeof toolOf>[1],
    config: Parameters<typeof toolOf>[2] = resume
  ): Promise<string> => {
    const world = new World({ tools: [toolOf('work', handler, { taskSupport: 'required', ...config })] })
    const { client } = await world.tab({ onelicit: accept })
    const run = await runTask(client, { name: 'work' })
    return JSON.stringify((await run.result()).content)
  }
  const codeOf = (error: unknown): string => (error as { code: string }).code

  test('a step name used twice in one run rejects with duplicate_step, and nothing runs', async () => {
    const ran: number[] = []
    const said = await outcome(async (_, task) => {
      await task.step('same', () => void ran.push(1))
      return text(await task.step('same', () => void ran.push(2)).then(String, codeOf))
    })
    expect(said).toContain('duplicate_step')
    expect(ran).toEqual([1])
  })

  test('a step without a name, or without a function, rejects with invalid_options, and nothing runs', async () => {
    const ran: number[] = []
    const said = await outcome(async (_, task) => {
      // @ts-expect-error -- what a host that does not check its types may write
      const nameless = await task.step(undefined, () => ran.push(1)).then(String, codeOf)
      // @ts-expect-error -- the same
      const idle = await task.step('fetch', 5).then(String, codeOf)
      return text(`${nameless} ${idle}`)
    })
    expect(said).toContain('invalid_options invalid_options')
    expect(ran).toEqual([])
  })

  test('a step that threw may be tried again under its name', async () => {
    const said = await outcome(async (_, task) => {
      await task.step('flaky', () => Promise.reject(new Error('not yet'))).catch(() => undefined)
      return text(await task.step('flaky', () => 'now'))
    })
    expect(said).toContain('now')
  })

  test('an unnamed question opened while another is open rejects with key_required in a tool that resumes', async () => {
    const said = await outcome(async (_, task) => {
      const first = task.elicit({ message: '1', requestedSchema: form })
      const second = await task.elicit({ message: '2', requestedSchema: form }).then(String, codeOf)
      await first
      return text(second)
    })
    expect(said).toContain('key_required')
  })

  test('a tool that does not resume may ask several unnamed questions at once', async () => {
    const said = await outcome(
      async (_, task) => {
        const both = ['1', '2'].map((message) => task.elicit({ message, requestedSchema: form }))
        return text((await Promise.all(both)).map(({ action }) => action).join())
      },
      { onInterrupt: 'fail' }
    )
    expect(said).toContain('accept,accept')
  })

  test('a step whose value is no JSON rejects and names the path; the task can go on', async () => {
    const said = await outcome(async (_, task) => {
      const refused = await task
        .step('date', () => ({ when: new Date() }))
        .then(String, (error: Error) => error.message)
      return text(refused)
    })
    expect(said).toContain('value.when')
  })
})
