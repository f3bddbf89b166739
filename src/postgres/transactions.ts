// The one way to read and the one way to write: what a write changed is announced after its commit.

import type { Pool, PoolClient, QueryResultRow } from 'pg'
import { IntabError, toError } from '../errors.js'
import type { Checkpoint, IntabEvent, Left } from '../types.js'

/** Resolves with the rows. */
export type Sql = <R extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<R[]>

/** What the body of a write gets; ids and events go out only after the commit. */
export interface Write {
  readonly sql: Sql
  readonly now: number
  /** Somebody who waits for this task would see a difference: that of `left`, if it tells all. */
  changed(taskId: string, left?: Left): void
  emit(event: IntabEvent): void
}

export interface TransactionsOptions {
  /** Called after the commit; must not throw. */
  publish(taskId: string, left: Left | undefined): void
  /** Called after the commit; must not throw. */
  onevent(event: IntabEvent): void
  /** Awaited as `before:<name>` before each write and as `committed:<name>` between commit and announcement. */
  checkpoint?: Checkpoint | undefined
}

/** Two writes that wait for each other, of which PostgreSQL ends one. */
const deadlock = new Set(['40P01', '40001'])

/** Times that a write which lost to another is tried. */
const tries = 10

export class Transactions {
  readonly #pool: Pool
  readonly #options: TransactionsOptions

  constructor(pool: Pool, options: TransactionsOptions) {
    this.#pool = pool
    this.#options = options
  }

  /** One statement, which sees one moment. */
  readonly read: Sql = async <R extends QueryResultRow>(text: string, values: readonly unknown[] = []) => {
    try {
      return (await this.#pool.query<R>(text, [...values])).rows
    } catch (error) {
      throw explained(error)
    }
  }

  /** Runs the body in a transaction; whatever it throws undoes it. It may run several times: of one that failed nothing is left. */
  async write<T>(name: string, body: (write: Write) => Promise<T>): Promise<T> {
    const { checkpoint } = this.#options
    await checkpoint?.(`before:${name}`)
    const { value, announce } = await this.#persist(body)
    await checkpoint?.(`committed:${name}`)
    announce()
    return value
  }

  async #persist<T>(body: (write: Write) => Promise<T>): Promise<{ value: T; announce(): void }> {
    for (let left = tries; ; left -= 1) {
      try {
        return await this.#once(body)
      } catch (error) {
        if (left > 1 && deadlock.has(codeOf(error) ?? '')) continue
        throw explained(error)
      }
    }
  }

  async #once<T>(body: (write: Write) => Promise<T>): Promise<{ value: T; announce(): void }> {
    const changed = new Map<string, Left | undefined>()
    const events: IntabEvent[] = []
    const client = await this.#pool.connect()
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const value = await body({
        sql: async <R extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
          (await client.query<R>(text, [...values])).rows,
        now: Date.now(),
        changed: (taskId, left) => changed.set(taskId, changed.has(taskId) && !left?.removed ? undefined : left),
        emit: (event) => events.push(event)
      })
      await client.query('COMMIT')
      return {
        value,
        announce: () => {
          for (const [taskId, left] of changed) this.#options.publish(taskId, left)
          for (const event of events) this.#options.onevent(event)
        }
      }
    } catch (error) {
      broken = await rollBack(client)
      throw error
    } finally {
      client.release(broken)
    }
  }
}

/** Resolves with the error of a connection that is good for nothing more. */
const rollBack = (client: PoolClient): Promise<Error | undefined> =>
  client.query('ROLLBACK').then(() => undefined, toError)

const codeOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** True for the error of a row that exists already. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505'

/** What passes by itself: no connection, a server that stops or starts, a statement that took too long. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const passing = /^(08|53|57)|^E[A-Z]+$/

/** An error of ours, a unique violation or a fault of this code as it is; any other as `storage_busy`, which is worth another try. */
function explained(thrown: unknown): Error {
  const error = toError(thrown)
  if (error instanceof IntabError || isTaken(error)) return error
  const code = codeOf(error)
  const isPassing = code === undefined ? /connect|terminated|timeout/i.test(error.message) : passing.test(code)
  if (!isPassing) return error
  return new IntabError('storage_busy', `PostgreSQL did not answer (${error.message}): try again`, undefined, {
    cause: error
  })
}
