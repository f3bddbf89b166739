// Three processes under many clients, one of them killed at random all the time: `npm run dbos:load -- SECONDS`.
// Lost: a task without its result. Repeated: a step that was kept and ran again, or a second task for one key.
// Stuck: a task that nobody ends.
import { Client as Database } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ConnectedClient, runTask } from '../../src/index.js'
import { accept, connectClient, eras } from '../scenarios/clients.js'
import { textOf } from '../scenarios/scenarios.js'
import { type Postgres, startPostgres } from './postgres.js'
import { ServerProcess } from './world.js'

const seconds = Number(process.env['INTAB_LOAD'] ?? 20)
const clientCount = 100
/** Milliseconds between two deaths, on average. */
const lifetime = 3_000
/** Milliseconds that the last tasks may take: far more than any that is not stuck. */
const patience = 180_000

let postgres: Postgres
let database: Database
let processes: ServerProcess[]

beforeAll(async () => {
  postgres = await startPostgres()
  const url = await postgres.database()
  database = new Database({ connectionString: url })
  await database.connect()
  await database.query('CREATE TABLE effects (n serial PRIMARY KEY, name text NOT NULL, step text NOT NULL)')
  processes = Array.from({ length: 3 }, () => new ServerProcess(url))
  await Promise.all(processes.map((each) => each.start()))
}, 240_000)
afterAll(async () => {
  await Promise.all(processes.map((each) => each.end()))
  await database.end()
  await postgres.stop()
})

interface Done {
  taskId: string
  text: unknown
  /** Milliseconds from the end of the task to its result at the client. */
  delay: number
}

/** One client of a person who calls one tool after the other, and turns to another process when one dies. */
class Caller {
  readonly #era = eras[Math.random() < 0.5 ? 0 : 1] ?? '2025-11-25'
  /** One of ten. */
  readonly #owner = `owner${Math.floor(Math.random() * 10)}`
  #at: { host: ServerProcess; life: number; client: ConnectedClient & { close(): Promise<void> } } | undefined

  async call(name: string): Promise<Done> {
    for (;;) {
      const host = processes[Math.floor(Math.random() * processes.length)]
      if (host === undefined || !host.serving) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        continue
      }
      const life = host.life
      try {
        return await Promise.race([this.#once(host, name), host.gone(life)])
      } catch (error) {
        this.#at = undefined
        // What a process that lives on refuses is a fault, unless it says to try again.
        if (host.serving && host.life === life && !isPassing(error)) throw error
      }
    }
  }

  close(): Promise<void> | undefined {
    return this.#at?.client.close()
  }

  async #once(host: ServerProcess, name: string): Promise<Done> {
    if (this.#at?.host !== host || this.#at.life !== host.life) {
      const { life } = host
      await this.#at?.client.close()
      this.#at = { host, life, client: await connectClient(this.#era, host.transport(this.#era, this.#owner), accept) }
    }
    const call = { name: 'work', arguments: { name }, _meta: { 'intab/key': name } }
    const run = await runTask(this.#at.client, call)
    const text = textOf(await run.result())
    return { taskId: run.taskId, text, delay: Date.now() - Date.parse(run.task.lastUpdatedAt) }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof Error &&
  (/fetch failed|terminated|socket|ECONN/i.test(error.message) ||
    // The status of a response, as the clients of the two SDKs tell it.
    (error as { code?: unknown }).code === 503 ||
    (error as { data?: { status?: unknown } }).data?.status === 503 ||
    (error as { data?: { code?: unknown } }).data?.code === 'storage_busy' ||
    isPassing(error.cause))

it(`loses, repeats and sticks at nothing in ${seconds} s`, { timeout: seconds * 1_000 + 2 * patience }, async () => {
  const end = Date.now() + seconds * 1_000
  const done = new Map<string, Done>()
  const begun = new Set<string>()
  let kills = 0
  const killing = (async () => {
    while (Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, lifetime * (0.5 + Math.random())))
      const victim = processes[Math.floor(Math.random() * processes.length)]
      if (victim?.serving !== true) continue
      kills += 1
      await victim.end()
      await victim.start()
    }
  })()
  const callers = Array.from({ length: clientCount }, () => new Caller())
  const calling = Promise.all(
    callers.map(async (caller, n) => {
      for (let k = 0; Date.now() < end; k += 1) {
        const name = `${n}-${k}`
        begun.add(name)
        done.set(name, await caller.call(name))
      }
    })
  )
  // Heard below, once nobody is killed any more.
  calling.catch(() => undefined)
  await killing
  await Promise.race([calling, new Promise((resolve) => setTimeout(resolve, patience).unref())])
  const stuck = [...begun].filter((name) => !done.has(name))
  const lost = [...done]
    .filter(([name, { text }]) => text !== `done ${name}`)
    .map(([name, { text }]) => `${name}: ${String(text)}`)
  const { rows } = await database.query<{ name: string; step: string }>('SELECT name, step FROM effects ORDER BY n')
  const repeated: string[] = []
  const reached = new Map<string, Set<string>>()
  for (const { name, step } of rows) {
    const steps = reached.get(name) ?? new Set()
    if (step === 'first' && steps.has('last')) repeated.push(name)
    reached.set(name, steps.add(step))
  }
  const counted = await database.query<{ tasks: string }>('SELECT count(*) AS tasks FROM intab.tasks')
  const delays = [...done.values()].map(({ delay }) => delay).toSorted((a, b) => a - b)
  const at = (part: number): number => delays[Math.floor(delays.length * part)] ?? 0
  process.stdout.write(
    `\n${done.size} tasks of ${clientCount} clients in ${seconds} s, ${kills} kills: lost ${lost.length}, repeated ${repeated.length}, ` +
      `stuck ${stuck.length}; finish to result ${at(0.5)} ms (p50), ${at(0.99)} ms (p99)\n`
  )
  expect({ lost, repeated, stuck }).toEqual({ lost: [], repeated: [], stuck: [] })
  expect(Number(counted.rows[0]?.tasks)).toBe(done.size)
  expect(kills).toBeGreaterThan(0)
  expect(done.size).toBe(begun.size)
  for (const caller of callers) await caller.close()
})
