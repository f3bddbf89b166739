import { expect, test } from 'vitest'
import { initializedPage, request, result, soon } from './rig.js'

test('a signal that aborts before the answer cancels its request, and one that aborts later says nothing', async () => {
  const { origin, page } = await initializedPage()
  const [stopped, late] = [new AbortController(), new AbortController()]
  await page.transport.send(request(1, 'tools/list'), { signal: stopped.signal })
  await page.transport.send(request(2, 'tools/list'), { requestSignal: late.signal })
  await origin.worker.session.send(result(2))
  await soon(() => expect(page.received).toHaveLength(1))
  late.abort()
  stopped.abort(new Error('the user stopped it'))
  const heard = () =>
    origin.worker.session.received.flatMap((message) => ('method' in message && !('id' in message) ? [message] : []))
  await soon(() =>
    expect(heard().at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'the user stopped it' }
    })
  )
  expect(heard().filter(({ method }) => method === 'notifications/cancelled')).toHaveLength(1)
  await expect(page.transport.send(request(3, 'ping'), { signal: stopped.signal })).rejects.toThrow(
    'the user stopped it'
  )
  await page.transport.close()
})
