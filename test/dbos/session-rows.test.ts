import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultLimits } from '../../src/limits.js'
import { openPostgres, type PostgresStorage } from '../../src/postgres/open-storage.js'
import { openSessionRows } from '../../src/postgres/session-rows.js'
import { type Postgres, startPostgres } from './postgres.js'

let postgres: Postgres
let storage: PostgresStorage

beforeAll(async () => {
  postgres = await startPostgres()
  const nothing = (): void => undefined
  const url = await postgres.database()
  storage = await openPostgres({ url, schema: 's', limits: defaultLimits, publish: nothing, onevent: nothing })
}, 120_000)
afterAll(async () => {
  await storage.close()
  await postgres.stop()
})

it('keeps a thousand sessions of one owner: the one that nobody used for the longest goes, and no other owner loses one', async () => {
  const rows = openSessionRows(storage.transactions)
  const initialize = { protocolVersion: '2025-11-25' }
  await rows.add('bob', { owner: 'bob', initialize })
  for (let n = 0; n < 1_000; n += 1) {
    expect(await rows.add(`a${n}`, { owner: 'alice', initialize })).toEqual([])
    await storage.transactions.read('UPDATE sessions SET used_at = used_at - 1000 + $2 WHERE id = $1', [`a${n}`, n])
  }
  await rows.use('a0')
  expect(await rows.add('a1000', { owner: 'alice', initialize })).toEqual(['a1'])
  expect(await rows.find('a1')).toBeUndefined()
  expect(await rows.find('a0')).toEqual({ owner: 'alice', initialize, hears: 0 })
  expect(await rows.find('bob')).toMatchObject({ owner: 'bob' })
})

it('remembers the most that a client wanted to hear', async () => {
  const rows = openSessionRows(storage.transactions)
  await rows.add('c', { owner: 'carol', initialize: {} })
  await rows.hear('c', 2)
  await rows.hear('c', 1)
  expect(await rows.find('c')).toMatchObject({ hears: 2 })
})
