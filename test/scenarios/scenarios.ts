// What a task goes through, wherever its tools run: in a worker of a browser, or in processes of a server.
import { afterEach, describe, expect, test } from 'vitest'
import { type ConnectedClient, followTask, listQuestions, runTask } from '../../src/index.js'
import { accept, type Answer, connectClient, type Era, eras, leaveOpen } from './clients.js'

export interface Place {
  /** Makes ready a first and a second host of the tools, of one storage. */
  begin(): Promise<void>
  /** A transport to the host where tasks begin, and one to another, which may be the same while that lives. */
  transport(host: 'first' | 'second', era: Era): object
  /** Kills the first host. */
  kill(): Promise<void>
  /** What the tools have said, of all hosts. */
  lines(): readonly string[]
}

export const textOf = (result: object): unknown => (result as { content?: { text?: unknown }[] }).content?.[0]?.text

/** Milliseconds: only a machine under load comes near. */
const timeout = 60_000

export function scenarios(where: string, place: Place): void {
  describe.each(eras)(`${where}, for clients of %s`, (era) => {
    const clients: { close(): Promise<void> }[] = []
    const connect = async (host: 'first' | 'second', answer: Answer): Promise<ConnectedClient> => {
      const client = await connectClient(era, place.transport(host, era), answer)
      clients.push(client)
      return client
    }
    const disconnect = async (): Promise<void> => {
      await Promise.all(clients.splice(0).map((client) => client.close()))
    }
    afterEach(disconnect)

    /** Starts a task at the first host; resolves when the tool has said that, and whoever started it has left. */
    const begin = async (tool: string, until: string): Promise<{ name: string; taskId: string }> => {
      await place.begin()
      const name = crypto.randomUUID().slice(0, 8)
      const { taskId } = await runTask(await connect('first', leaveOpen), { name: tool, arguments: { name } })
      await expect.poll(() => place.lines(), { timeout }).toContain(`${until} ${name}`)
      await disconnect()
      return { name, taskId }
    }
    /** What the task comes to, for a new client of the second host. */
    const outcome = async (taskId: string, answer = leaveOpen): Promise<unknown> =>
      textOf(await (await followTask(await connect('second', answer), taskId)).result())
    const steps = (name: string): string[] =>
      place.lines().filter((line) => line.startsWith('step') && line.endsWith(` ${name}`))

    test('a question that is asked after its client has left, others answer, and the first answer counts', async () => {
      const { name, taskId } = await begin('ask', 'asks')
      const first = await followTask(await connect('first', accept), taskId)
      expect(await outcome(taskId, accept)).toBe(`accept true ${name}`)
      expect(textOf(await first.result())).toBe(`accept true ${name}`)
    })

    test('ten waiters hear the same, once the first of them has answered', async () => {
      const { name, taskId } = await begin('ask', 'asks')
      const hosts = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? 'first' : 'second'))
      const results = await Promise.all(
        hosts.map(async (host) => textOf(await (await followTask(await connect(host, accept), taskId)).result()))
      )
      expect(new Set(results)).toEqual(new Set([`accept true ${name}`]))
      expect(steps(name)).toEqual([`step first ${name}`, `step last ${name}`])
    })

    test('a task that another client cancels is cancelled for all, and its tool stops', async () => {
      const { name, taskId } = await begin('ask', 'asks')
      const waiting = await followTask(await connect('first', leaveOpen), taskId)
      const other = await followTask(await connect('second', leaveOpen), taskId)
      await other.cancel()
      expect(await waiting.result()).toMatchObject({ isError: true })
      expect(waiting.task.status).toBe('cancelled')
      expect(steps(name)).toEqual([`step first ${name}`])
    })

    test('a task that overruns its ttl fails, and says so', async () => {
      await place.begin()
      const client = await connect('first', leaveOpen)
      const run = await runTask(client, { name: 'ask', arguments: { name: 'late' } }, { ttl: 1_000 })
      expect(textOf(await run.result())).toMatch(/^Expired/)
      await expect(listQuestions(client)).resolves.toEqual([])
    })

    test('a host that dies in an open question: the question is asked again, and no step is repeated', async () => {
      const { name, taskId } = await begin('ask', 'asks')
      await place.kill()
      expect(await outcome(taskId, accept)).toBe(`accept true ${name}`)
      expect(steps(name)).toEqual([`step first ${name}`, `step last ${name}`])
    })

    test('a host that dies in a step: that step alone is done again', async () => {
      const { name, taskId } = await begin('hang', 'step slow')
      await place.kill()
      expect(await outcome(taskId)).toBe(`${name} in attempt 2`)
      expect(steps(name)).toEqual([`step first ${name}`, `step slow ${name}`, `step slow ${name}`])
    })

    test('a host that dies in a sleep: it ends when it would have', async () => {
      const { name, taskId } = await begin('sleep', 'sleeps')
      await place.kill()
      expect(await outcome(taskId)).toBe(`${name} slept long enough`)
      expect(steps(name)).toEqual([`step first ${name}`])
    })

    test('steps side by side are found by their names, in whatever order they begin', async () => {
      const { name, taskId } = await begin('branches', 'step slow')
      await place.kill()
      expect(await outcome(taskId)).toBe('a1 a2 b1 b2')
      expect(steps(name).filter((step) => !step.includes('slow'))).toHaveLength(4)
    })

    test('a step that failed before its host died is done again', async () => {
      const { taskId } = await begin('flaky', 'step slow')
      await place.kill()
      expect(await outcome(taskId)).toBe('done')
    })

    test('a tool that does not resume: its task fails when its host dies, and says so', async () => {
      const { taskId } = await begin('fragile', 'step slow')
      await place.kill()
      expect(await outcome(taskId)).toMatch(/stopped before it finished/)
    })
  })
}
