// One connection that a process holds for its life. PostgreSQL frees its lock when the process dies, and carries what the
// processes tell each other. https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS
// Nobody waits for a lock: a statement that waits keeps VACUUM and CREATE INDEX CONCURRENTLY from their work.

import { Client } from 'pg'
import { IntabError, toError } from '../errors.js'
import { after, backOff } from '../time.js'
import { quoted } from './schema.js'

/** The first key of the locks, the second is the process's number: 'itab' in ASCII. */
const lockClass = 0x69746162
/** https://www.postgresql.org/docs/current/sql-notify.html allows 8,000 bytes. */
const longestPost = 7_900
/** Milliseconds between looks at who is alive. */
const interval = 1_000
/** So that PostgreSQL notices within 30 s that a machine is gone: https://www.postgresql.org/docs/current/runtime-config-connection.html#RUNTIME-CONFIG-TCP-SETTINGS */
const signsOfLife = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4'

/** The lock of the process in a row of `processes`. */
const held = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = id::oid AND objsubid = 2
  AND granted AND mode = 'ExclusiveLock' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

export interface LeaseOptions {
  url: string
  schema: string
  /** Of this process; new with each start. */
  name: string
  /** What other processes posted. */
  onpost(payload: string): void
  /** Another process died. */
  ondeath(name: string): void
  /** Posts may be lost: the connection of this process or of another broke, and is there again. */
  ondoubt(): void
  onerror(error: Error, during: string): void
}

export class Lease {
  readonly #options: LeaseOptions
  #client: Client | undefined
  /** Who was alive at the last look. */
  #known = new Set<string>()
  #id = 0
  #tries = 0
  /** Stops the timer of the next look, or of the next try to connect. */
  #stop: () => void = () => undefined
  #closed = false
  /** A connection takes one statement at a time. */
  #line: Promise<unknown> = Promise.resolve()

  private constructor(options: LeaseOptions) {
    this.#options = options
  }

  /** Resolves when this process is known to be alive to all others. */
  static async take(options: LeaseOptions): Promise<Lease> {
    const lease = new Lease(options)
    await lease.#connect()
    return lease
  }

  /** Tells all other processes; one that is not connected hears nothing, and doubts everything when it is. */
  async post(payload: string): Promise<void> {
    const size = Buffer.byteLength(payload)
    if (size > longestPost) throw new Error(`A post has ${size} bytes, and PostgreSQL carries ${longestPost}`)
    if (this.#client) await this.#query('SELECT pg_notify($1, $2)', [this.#channel, `${this.#id}:${payload}`])
  }

  /** Names of the processes that are alive, this one among them; rejects while nobody can tell. */
  async living(): Promise<string[]> {
    const rows = await this.#query<{ name: string }>(`SELECT name FROM processes WHERE EXISTS (${held})`, [lockClass])
    return rows.map(({ name }) => name)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#stop()
    await this.#line
    await this.#client?.end()
  }

  get #channel(): string {
    return `intab_${this.#options.schema}`
  }

  #query<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    const asked = this.#line.then(async () => {
      if (this.#client !== undefined) return (await this.#client.query<R>(text, values)).rows
      throw new IntabError('storage_busy', 'The connection to PostgreSQL is broken: it is opened again')
    })
    this.#line = asked.catch(() => undefined)
    return asked
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#options.url,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      options: `-c search_path=${quoted(this.#options.schema)} ${signsOfLife}`
    })
    client.on('error', (error) => this.#options.onerror(error, 'holding the connection to PostgreSQL'))
    await client.connect()
    client.on('notification', ({ payload = '' }) => this.#hear(payload))
    const { rows } = await client.query<{ id: number }>("SELECT nextval('processes_id_seq')::integer AS id")
    this.#id = rows[0]?.id ?? 0
    await client.query('SELECT pg_advisory_lock($1, $2)', [lockClass, this.#id])
    // A row without a lock is that of a dead process.
    await client.query(`DELETE FROM processes WHERE NOT EXISTS (${held})`, [lockClass])
    await client.query(
      'INSERT INTO processes (id, name) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET id = excluded.id',
      [this.#id, this.#options.name]
    )
    await client.query(`LISTEN ${quoted(this.#channel)}`)
    this.#client = client
    const isBack = this.#tries > 0
    this.#tries = 0
    client.on('end', () => this.#lost())
    await this.#look()
    if (!isBack) return
    await this.post('back')
    this.#options.ondoubt()
  }

  #lost(): void {
    this.#stop()
    this.#client = undefined
    if (this.#closed) return
    this.#tries += 1
    this.#stop = after(backOff(this.#tries), () => {
      this.#connect().catch((error: unknown) => {
        this.#options.onerror(toError(error), 'connecting to PostgreSQL again')
        this.#lost()
      })
    })
  }

  #hear(payload: string): void {
    const [, from, text] = /^(\d+):(.*)$/s.exec(payload) ?? []
    if (from === undefined || text === undefined || Number(from) === this.#id) return
    if (text === 'back') this.#options.ondoubt()
    else this.#options.onpost(text)
  }

  /** Tells of those who are alive no more, and looks again in a while. */
  async #look(): Promise<void> {
    this.#stop()
    try {
      const living = new Set(await this.living())
      const dead = [...this.#known].filter((name) => !living.has(name))
      this.#known = living
      for (const name of dead) this.#options.ondeath(name)
    } finally {
      if (!this.#closed && this.#client !== undefined) this.#stop = after(interval, this.#lookAgain)
    }
  }

  readonly #lookAgain = (): void => {
    this.#look().catch((error: unknown) => this.#options.onerror(toError(error), 'looking who is alive'))
  }
}
