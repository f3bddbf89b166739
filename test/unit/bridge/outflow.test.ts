import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { mostUnread, Outflow } from '../../../src/http/outflow.js'

const mebibyte = new Uint8Array(1024 * 1024)

/** Responses to clients that read nothing, one for each. */
async function unreadResponses(count: number): Promise<ServerResponse[]> {
  const responses: ServerResponse[] = []
  const server = createServer((_, response) => {
    response.flushHeaders()
    responses.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  for (let n = 0; n < count; n += 1)
    get({ port, host: '127.0.0.1' }, (incoming) => incoming.pause()).on('error', () => undefined)
  await expect.poll(() => responses.length).toBe(count)
  return responses
}

test('more than 32 MiB unread by one client: the stream with most is closed, and the others go on', async () => {
  const [small, large] = (await unreadResponses(2)) as [ServerResponse, ServerResponse]
  const outflow = new Outflow()
  outflow.write(small, mebibyte)
  // The kernel takes some of it.
  for (let n = 0; n < 100 && !large.destroyed; n += 1) outflow.write(large, mebibyte)
  expect(large.destroyed).toBe(true)
  expect(small.destroyed).toBe(false)
  expect(small.writableLength).toBeLessThanOrEqual(mostUnread)
})

test('of many streams the sum counts', async () => {
  const responses = await unreadResponses(10)
  const outflow = new Outflow()
  for (let n = 0; n < 10; n += 1)
    for (const response of responses) if (!response.destroyed) outflow.write(response, mebibyte)
  expect(responses.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(0)
  const unread = responses.reduce((sum, { destroyed, writableLength }) => sum + (destroyed ? 0 : writableLength), 0)
  expect(unread).toBeLessThanOrEqual(mostUnread)
})
