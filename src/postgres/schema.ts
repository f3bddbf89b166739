// The tables, in a schema of their own beside DBOS's. A record is kept as JSON; columns repeat only what is searched for.

import type { Client } from 'pg'

/** Version 1 of the tables. One that shipped is frozen: add a step that changes it. */
const version1 = `
  CREATE TABLE tasks (
    task_id text PRIMARY KEY,
    owner text NOT NULL,
    seq bigint NOT NULL,
    executor text,
    expires_at bigint,
    idempotency_key text,
    spare smallint,
    record json NOT NULL
  );
  CREATE UNIQUE INDEX tasks_seq ON tasks (owner, seq);
  CREATE UNIQUE INDEX tasks_key ON tasks (owner, idempotency_key);
  CREATE INDEX tasks_executor ON tasks (executor) WHERE executor IS NOT NULL;
  CREATE INDEX tasks_expiry ON tasks (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX tasks_spare ON tasks (owner, spare, seq) WHERE spare IS NOT NULL;
  CREATE TABLE calls (
    task_id text PRIMARY KEY REFERENCES tasks ON DELETE CASCADE,
    call json NOT NULL
  );
  CREATE TABLE outcomes (
    task_id text PRIMARY KEY REFERENCES tasks ON DELETE CASCADE,
    outcome json NOT NULL
  );
  CREATE TABLE messages (
    task_id text NOT NULL REFERENCES tasks ON DELETE CASCADE,
    n integer NOT NULL,
    owner text NOT NULL,
    kind text NOT NULL,
    request_id text UNIQUE,
    key text,
    is_open boolean NOT NULL,
    claimed_by text,
    record json NOT NULL,
    PRIMARY KEY (task_id, n)
  );
  CREATE UNIQUE INDEX messages_key ON messages (task_id, key);
  CREATE INDEX messages_open ON messages (owner, task_id, n) WHERE is_open;
  CREATE INDEX messages_claims ON messages (claimed_by) WHERE claimed_by IS NOT NULL;
  CREATE TABLE steps (
    task_id text NOT NULL REFERENCES tasks ON DELETE CASCADE,
    key text NOT NULL,
    step json NOT NULL,
    PRIMARY KEY (task_id, key)
  );
  CREATE TABLE owners (
    owner text PRIMARY KEY,
    unfinished integer NOT NULL,
    kept integer NOT NULL,
    next_seq bigint NOT NULL
  );
  CREATE TABLE tombstones (
    owner text NOT NULL,
    idempotency_key text NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (owner, idempotency_key)
  );
  CREATE INDEX tombstones_expiry ON tombstones (expires_at);
  CREATE INDEX tombstones_oldest ON tombstones (owner, expires_at);
  CREATE TABLE processes (
    id serial PRIMARY KEY,
    name text UNIQUE NOT NULL
  );
  CREATE TABLE sessions (
    id text PRIMARY KEY,
    owner text NOT NULL,
    initialize json NOT NULL,
    used_at bigint NOT NULL
  );
  CREATE INDEX sessions_used ON sessions (used_at);
`

/** What a session's client told of itself after `initialize`: each process that answers it must know. */
const version2 = `
  ALTER TABLE sessions ADD COLUMN hears smallint NOT NULL DEFAULT 0;
  CREATE INDEX sessions_owner ON sessions (owner, used_at);
`

const steps = [version1, version2]

/** `"a""b"`: https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS */
export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`

/** Creates the tables, or brings older ones up to date; of several processes that start at once, one does. */
export async function migrate(client: Client, schema: string): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`intab migration of ${schema}`])
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`)
    await client.query(`SET LOCAL search_path TO ${quoted(schema)}`)
    await client.query('CREATE TABLE IF NOT EXISTS version (version integer NOT NULL)')
    const { rows } = await client.query<{ version: number }>('SELECT version FROM version')
    const from = rows[0]?.version ?? 0
    for (const step of steps.slice(from)) await client.query(step)
    await client.query(
      rows.length === 0 ? 'INSERT INTO version VALUES ($1)' : 'UPDATE version SET version = greatest(version, $1)',
      [steps.length]
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
