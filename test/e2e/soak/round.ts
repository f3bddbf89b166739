// One round: tasks are started, and at the same time tabs, workers and tasks come to grief; then all must come to its end.

import { setTimeout as pause } from 'node:timers/promises'
import { toError } from '../../../src/errors.js'
import type { Random } from '../../support/random.js'
import type { SharedWorkers } from '../shared-workers.js'
import type { Act, Job, Note, Sign } from './facts.js'
import { type Known, Oracle, type Verdict } from './oracle.js'
import { gone, type SoakTab, type SoakTabs } from './tabs.js'

export interface Judged extends Verdict {
  tasks: number
  stuck: string[]
}

/** Far longer than anything takes, and shorter than the re-read that would hide a lost wake-up. */
const patience = 20_000

export class Round {
  readonly #name: string
  readonly #tabs: SoakTabs
  readonly #workers: SharedWorkers
  readonly #random: Random
  readonly #oracle = new Oracle()
  readonly #stuck: string[] = []
  readonly #open = new Map<string, Promise<unknown>>()
  readonly #ids = new Map<Known, string>()
  #calls = 0

  constructor(name: string, tabs: SoakTabs, workers: SharedWorkers, random: Random) {
    this.#name = name
    this.#tabs = tabs
    this.#workers = workers
    this.#random = random
  }

  saw(sign: Sign): void {
    this.#oracle.saw(sign)
  }

  async run(): Promise<Judged> {
    await this.#in('connecting', this.#tabs.fill())
    await this.#everywhere('calming', () => soak.behave('calm'))
    const faults = [this.#close, this.#reload, this.#kill, this.#kill, this.#cancel, this.#take]
    if (this.#random.chance(0.1)) faults.push(this.#crash)
    const starts = Array.from({ length: 2 + this.#random.below(4) }, () => this.#start)
    const troubles = Array.from({ length: 1 + this.#random.below(4) }, () => this.#random.pick(faults) ?? this.#kill)
    // The first task comes first: trouble needs somebody to meet.
    for (let acts = [...starts.slice(1), ...troubles], next = starts[0]; next !== undefined;) {
      await this.#in('making trouble', next.call(this))
      await pause(this.#random.below(80))
      next = this.#random.pick(acts)
      acts = without(acts, next)
    }
    await this.#settle()
    return this.#judge()
  }

  /** Nobody makes trouble any more, everybody answers at once, and every task is asked for its outcome. */
  async #settle(): Promise<void> {
    await this.#in('connecting again', this.#tabs.fill())
    await this.#everywhere('hurrying', () => soak.behave('hurried'))
    await this.#everyCall()
    for (const known of this.#ids.keys()) this.#follow(known)
    await this.#everyCall()
  }

  async #judge(): Promise<Judged> {
    const [tab] = this.#tabs.all
    const lines = (await tab?.page.evaluate(() => soak.takeNotes())) ?? []
    const verdict = this.#oracle.judge(lines.map((line) => JSON.parse(line) as Note))
    return { ...verdict, tasks: this.#ids.size, stuck: this.#stuck }
  }

  // What people do

  async #start(): Promise<void> {
    const tab = this.#tabs.any()
    if (tab === undefined) return
    const label = `${this.#name}-${this.#oracle.tasks.size}`
    const acts = Array.from(
      { length: 1 + this.#random.below(6) },
      (): Act => this.#random.pick(['step', 'step', 'ask', 'ask', 'report', 'nap'] as const) ?? 'step'
    )
    const job: Job = { label, acts }
    const tool = this.#random.chance(0.8) ? 'durable' : 'fragile'
    const known = this.#oracle.begin(tool, job)
    const follows = this.#random.chance(0.6)
    this.#call(`starting ${label}`, known, tab, async (page) => {
      const taskId = await page.evaluate(([name, given]) => soak.start(name, given), [tool, job] as const)
      known.acknowledged = true
      this.#ids.set(known, taskId)
      if (follows) this.#follow(known, tab)
    })
  }

  #follow(known: Known, tab = this.#tabs.any()): void {
    const taskId = this.#ids.get(known)
    if (taskId === undefined || tab === undefined) return
    this.#call(`following ${known.job.label}`, known, tab, async (page) => {
      known.endings.push(await page.evaluate((id) => soak.follow(id), taskId))
    })
  }

  async #cancel(): Promise<void> {
    const tab = this.#tabs.any()
    const known = this.#random.pick([...this.#ids.keys()].filter(({ cancelAsked }) => !cancelAsked))
    const taskId = known && this.#ids.get(known)
    if (known === undefined || taskId === undefined || tab === undefined) return
    known.cancelAsked = true
    this.#call(`cancelling ${known.job.label}`, known, tab, async (page) => {
      known.cancelled = await page.evaluate((id) => soak.cancel(id), taskId)
    })
  }

  async #take(): Promise<void> {
    const tab = this.#tabs.any()
    const n = this.#random.below(10)
    // The question may be settled before it is taken.
    await tab?.page.evaluate((which) => soak.take(which), n).catch(() => undefined)
  }

  // What happens to them

  async #close(): Promise<void> {
    const tab = this.#tabs.any()
    this.#oracle.deaths++
    if (tab) await this.#tabs.close(tab)
    if (this.#random.chance(0.5)) await this.#tabs.fill()
  }

  async #crash(): Promise<void> {
    const tab = this.#tabs.any()
    this.#oracle.deaths++
    if (tab) await this.#tabs.crash(tab)
  }

  async #reload(): Promise<void> {
    const tab = this.#tabs.any()
    this.#oracle.deaths++
    if (tab) await this.#tabs.reload(tab)
  }

  async #kill(): Promise<void> {
    const url = this.#random.pick(this.#workers.urls().filter((url) => url.includes('soak.worker')))
    this.#oracle.deaths++
    // It may have ended with its last tab meanwhile.
    if (url !== undefined) await this.#workers.kill(url).catch(() => undefined)
  }

  // How all of it is waited for

  /** A call in a tab whose end is awaited later; an error of a tab that lives is held against the task. */
  #call(what: string, known: Known, tab: SoakTab, act: (page: SoakTab['page']) => Promise<void>): void {
    const key = `${what} (${++this.#calls})`
    const call = this.#tabs.in(tab, act).then(
      (result) => result === gone,
      (error: unknown) => known.errors.push(`${what}: ${toError(error).message}`)
    )
    this.#open.set(
      key,
      call.finally(() => this.#open.delete(key))
    )
  }

  async #everyCall(): Promise<void> {
    while (this.#open.size > 0 && this.#stuck.length === 0) {
      await this.#in('coming to its end', Promise.all(this.#open.values()))
    }
  }

  async #everywhere(what: string, act: () => void): Promise<void> {
    await this.#in(what, Promise.all(this.#tabs.all.map(({ page }) => page.evaluate(act))))
  }

  async #in(what: string, work: Promise<unknown>): Promise<void> {
    const timer = new AbortController()
    const late = pause(patience, true, { signal: timer.signal }).catch(() => false)
    if (await Promise.race([work.then(() => false), late]))
      this.#stuck.push(...(this.#open.size > 0 ? this.#open.keys() : [what]))
    timer.abort()
  }
}

function without<T>(list: readonly T[], item: T | undefined): T[] {
  const at = list.findIndex((one) => one === item)
  return list.filter((_, i) => i !== at)
}
