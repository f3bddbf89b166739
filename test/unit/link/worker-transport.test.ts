import { afterEach, beforeEach, expect, test } from 'vitest'
import { notification, Origin, request, result, soon } from './rig.js'

let origin: Origin
beforeEach(() => {
  origin = new Origin()
})

test('connects, and tells what it is connected to', async () => {
  const page = await origin.page()
  const { transport } = page
  expect(page.states).toEqual(['connected'])
  expect(transport).toMatchObject({ state: 'connected', kind: 'shared-worker', worker: origin.worker.id })
  expect(origin.worker.session.hello).toMatchObject({
    version: 1,
    session: transport.session,
    connection: transport.connection,
    holding: []
  })
  await transport.close()
})

test('messages go both ways', async () => {
  const page = await origin.page()
  await page.transport.send(request(1, 'ping'))
  expect(origin.worker.session.received).toEqual([request(1, 'ping')])
  await origin.worker.session.send(result(1))
  expect(page.received).toEqual([result(1)])
  await page.transport.close()
})
