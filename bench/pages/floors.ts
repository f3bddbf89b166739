// The floors, each measured alone before any server of intab runs.

import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { BareTransport } from '../floors/bare-transport.js'
import bareUrl from '../floors/bare.worker.ts?worker&url'
import { now } from '../floors/clock.js'
import { RawWorker } from '../floors/raw-worker.js'
import sdkUrl from '../floors/sdk.worker.ts?worker&url'
import { type Act, timed } from './race.js'
import { connect } from './tab.js'

/** As much text as a plain call of the bench carries, and its answer. */
export const payload = 'x'.repeat(200)

let bare = 0

/** A worker of the server's size that does nothing. */
export const newBare = (lock: string): SharedWorker =>
  new SharedWorker(`${bareUrl}?bare=${(bare += 1)}&lock=${lock}`, { type: 'module' })

export function firstMessage({ port }: SharedWorker): Promise<void> {
  return new Promise((resolve) => {
    port.onmessage = () => resolve()
    port.postMessage('hello')
  })
}

export interface Floors {
  ping: Act
  sdkCall: Act
  create: Act
  finish: Act
  finishElsewhere: Act
  ask: Act
  answer: Act
  life: Act
  lives: Act
  start: Act
}

export const atOnce = 100

export async function openFloors(): Promise<Floors> {
  const [a, b] = [new RawWorker('raw-a'), new RawWorker('raw-b')]
  await Promise.all([a.synchronise(), b.synchronise()])
  const sdk: Client = await connect(new BareTransport(new SharedWorker(sdkUrl, { type: 'module', name: 'sdk' }).port))
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: payload } }
  }
  const life = async (): Promise<void> => {
    const id = crypto.randomUUID()
    await a.call('create', id)
    await a.call('finish', id)
  }
  return {
    ping: timed(() => a.echo(request)),
    sdkCall: timed(() => sdk.callTool({ name: 'echo', arguments: { text: payload } })),
    create: timed(() => a.call('create', crypto.randomUUID())),
    finish: async () => {
      const stamp = await a.call('finish', crypto.randomUUID())
      return now() + a.ahead - Number(stamp)
    },
    finishElsewhere: async () => {
      const id = crypto.randomUUID()
      const waiting = b.call('wait', id)
      await b.echo(0)
      const announced = a.call('announce', id)
      const stamp = await waiting
      const took = now() + a.ahead - Number(stamp)
      await announced
      return took
    },
    ask: async () => {
      const stamp = await a.call('ask', crypto.randomUUID())
      return now() + a.ahead - Number(stamp)
    },
    answer: async () => Number(await a.call('answer', crypto.randomUUID(), now() + a.ahead)),
    life: timed(life),
    lives: async () => {
      const start = performance.now()
      await Promise.all(Array.from({ length: atOnce }, life))
      return (atOnce * 1000) / (performance.now() - start)
    },
    start: async () => {
      const start = performance.now()
      const worker = newBare(crypto.randomUUID())
      await firstMessage(worker)
      const took = performance.now() - start
      worker.port.postMessage('close')
      return took
    }
  }
}
