import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { AgentLink } from '../../../src/testing/agent-link.js'
import type { AgentEvent, AgentReport } from '../../../src/testing/page-agent.js'

type Report = (source: { frame: unknown }, report: AgentReport) => void

/** A page whose agent notes what it is asked, and whose browser refuses calls that contain a text. */
function fakePage(refused: string) {
  const asked: string[] = []
  const frame = {}
  let report: Report = () => undefined
  let gone = false
  const page = {
    on: () => page,
    isClosed: () => false,
    mainFrame: () => frame,
    addInitScript: () => Promise.resolve(),
    exposeBinding(_: string, callback: Report) {
      report = callback
      return Promise.resolve()
    },
    evaluate(_: unknown, { calls }: { calls?: string[] }): Promise<unknown> {
      if (calls === undefined) return Promise.resolve()
      if (gone || calls.some((call) => call.includes(refused))) return Promise.reject(new Error('refused'))
      asked.push(...calls)
      return Promise.resolve(true)
    }
  }
  return {
    page: page as unknown as Page,
    asked: () => asked.map((call) => (JSON.parse(call) as { id: number }).id),
    say: (event: AgentEvent) => report({ frame }, { document: 'one', events: [JSON.stringify(event)] }),
    leave: () => (gone = true)
  }
}

/** A thing of the page, with what it was told. */
function thingOf(link: AgentLink) {
  const told: string[] = []
  const id = link.add({ event: (event) => told.push(event.on), gone: () => told.push('gone') })
  return { id, told, post: (data: string) => link.call({ do: 'post', id, data, ports: [] }) }
}

async function ready(fake: ReturnType<typeof fakePage>): Promise<AgentLink> {
  const link = AgentLink.of(fake.page)
  const waiting = link.ready()
  fake.say({ on: 'hello' })
  await waiting
  return link
}

test('G1 a call that the browser refuses fails alone: what was sent in the same turn arrives, and what comes later', async () => {
  const fake = fakePage('poison')
  const link = await ready(fake)
  const [one, other] = [thingOf(link), thingOf(link)]
  one.post('fine')
  other.post('poison')
  one.post('fine again')
  await expect.poll(() => fake.asked()).toEqual([one.id, one.id])
  expect(other.told).toEqual(['failed'])
  expect(one.told).toEqual([])
  other.post('later')
  await expect.poll(() => fake.asked()).toEqual([one.id, one.id, other.id])
})

test('a page that went elsewhere is gone, and all that was in it', async () => {
  const fake = fakePage('poison')
  const link = await ready(fake)
  const thing = thingOf(link)
  fake.leave()
  thing.post('anything')
  await expect.poll(() => thing.told).toEqual(['gone'])
})

test('a call that is not JSON throws for its caller, and nobody else notices', async () => {
  const fake = fakePage('poison')
  const link = await ready(fake)
  const thing = thingOf(link)
  expect(() => link.call({ do: 'post', id: thing.id, data: 1n, ports: [] })).toThrow(TypeError)
  thing.post('fine')
  await expect.poll(() => fake.asked()).toEqual([thing.id])
  expect(thing.told).toEqual([])
})
