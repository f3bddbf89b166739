// The tables behind the SDK's own stores, in a schema of theirs, and the connections to them.

import { Client, Pool, type PoolClient } from 'pg'
import { IntabError, toError } from '../errors.js'
import { quoted } from './schema.js'

/** Options of `PostgresTaskStore` and `PostgresTaskMessageQueue`. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database` */
  url: string
  /** Holds the tables; a store and a queue with one schema share them. Default `intab_stores`. */
  schema?: string
  /** Connections that this object may open. Default 4. */
  connections?: number
}

/** Changes go beside it, each as far as it has not been made. */
const tables = `
  CREATE TABLE IF NOT EXISTS tasks (
    seq bigserial PRIMARY KEY,
    task_id text UNIQUE NOT NULL,
    session text,
    expires_at bigint,
    task json NOT NULL,
    result json
  );
  CREATE INDEX IF NOT EXISTS tasks_session ON tasks (session, seq);
  CREATE INDEX IF NOT EXISTS tasks_expiry ON tasks (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS messages (
    n bigserial PRIMARY KEY,
    task_id text NOT NULL,
    message json NOT NULL
  );
  CREATE INDEX IF NOT EXISTS messages_task ON messages (task_id, n);
`

export class SdkTables {
  readonly #options: PostgresStoreOptions
  /** By task: settles with the last write about it. */
  readonly #last = new Map<string, Promise<void>>()
  #opening: Promise<Pool> | undefined
  #closed = false

  constructor(options: PostgresStoreOptions) {
    this.#options = options
  }

  /** Runs the body in a transaction; whatever it throws undoes it. Those about one task run in the order in which they were asked for. */
  async write<T>(body: (client: PoolClient) => Promise<T>, taskId?: string): Promise<T> {
    if (taskId === undefined) return this.#write(body)
    const before = this.#last.get(taskId) ?? Promise.resolve()
    const written = before.then(() => this.#write(body))
    const settled = written.then(
      () => undefined,
      () => undefined
    )
    this.#last.set(taskId, settled)
    return written.finally(() => {
      if (this.#last.get(taskId) === settled) this.#last.delete(taskId)
    })
  }

  async #write<T>(body: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await (await this.#open()).connect().catch(refuse)
    let broken: Error | undefined
    try {
      await client.query('BEGIN')
      const value = await body(client)
      await client.query('COMMIT')
      return value
    } catch (error) {
      broken = await client.query('ROLLBACK').then(() => undefined, toError)
      throw error
    } finally {
      client.release(broken)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await (await this.#opening?.catch(() => undefined))?.end()
  }

  /** The first call creates the tables; one that failed is tried again by the next. */
  #open(): Promise<Pool> {
    if (this.#closed) throw new IntabError('closed', 'This store was closed')
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined
      return refuse(error)
    })
    return this.#opening
  }

  async #connect(): Promise<Pool> {
    const { url, schema = 'intab_stores', connections = 4 } = this.#options
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    await client.connect()
    try {
      // Of several that start at once, one creates them: a transaction of several statements has this effect of its own.
      await client.query(`
        BEGIN;
        SELECT pg_advisory_xact_lock(hashtext('intab creates ${quoted(schema).replaceAll("'", "''")}'));
        CREATE SCHEMA IF NOT EXISTS ${quoted(schema)};
        SET LOCAL search_path TO ${quoted(schema)};
        ${tables}
        COMMIT`)
    } finally {
      await client.end()
    }
    const pool = new Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: 10_000,
      options: `-c search_path=${quoted(schema)}`
    })
    // An idle connection that breaks is replaced by the next call.
    pool.on('error', () => undefined)
    return pool
  }
}

function refuse(error: unknown): never {
  const cause = toError(error)
  throw new IntabError('storage_busy', `PostgreSQL did not answer (${cause.message}): try again`, undefined, { cause })
}
