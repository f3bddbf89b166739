// Random acts of several connections over two workers on one database, each checked against the model.

import { expect } from 'vitest'
import { cancelledEnd } from '../../src/tasks/outcome.js'
import { awaitOutcome } from '../../src/tasks/result-loop.js'
import { fenceOf } from '../../src/tasks/status.js'
import type { Fence, Outcome } from '../../src/types.js'
import { draftOf } from '../support/record.js'
import { turn } from '../support/turns.js'
import { lentActs, pageGone } from './lent-acts.js'
import { expectTold, modernActs } from './modern-acts.js'
import { can, connections, needs, Stage, ttl, type Waiter } from './stage.js'

export class Interleavings extends Stage {
  /** One act, and a look at the task that it was about. */
  async step(): Promise<void> {
    const live = [...this.model.tasks.values()].filter((task) => !task.end)
    const acts = [
      ...(live.length < 8 ? [this.#create] : []),
      ...this.#often,
      ...(this.random.chance(0.1) ? [this.#expire, this.#kill, this.#abandon] : [])
    ]
    const act = this.random.pick(acts) ?? this.#create
    const about = await act.call(this)
    await expectTold(this)
    await this.rest()
    this.collect()
    if (about !== undefined) await this.look(about)
  }

  get #often() {
    const questions = [this.#ask, this.#ask, this.#answer, this.#answer, this.#take]
    return [
      ...questions,
      ...lentActs(this),
      ...modernActs(this),
      this.#wait,
      this.#wait,
      this.#leave,
      this.#report,
      this.#finish,
      this.#cancel,
      this.#race,
      this.#remove
    ]
  }

  async #create(): Promise<string> {
    this.count('create')
    const { tasks, executor } = this.worker
    const { task } = await tasks.create(draftOf({ executor, ttl: this.random.chance(0.3) ? ttl : null }))
    this.model.create(task.taskId, executor)
    this.fences.push(fenceOf(task))
    return task.taskId
  }

  async #ask(): Promise<string | undefined> {
    this.count('ask')
    const fence = this.random.pick(this.fences)
    if (fence === undefined) return undefined
    const key = `q${this.random.below(4)}`
    const must = this.model.holds(fence)
    const draft = { key, method: 'elicitation/create', params: { message: key }, needs }
    const { messages, waiters } = this.worker
    const looker = this.random.chance(0.7) ? waiters.find(fence.taskId, needs) : undefined
    const row = await messages.ask(fence, draft, looker)
    expect(row !== undefined, 'a question is stored exactly while the fence holds').toBe(must)
    if (row === undefined) return fence.taskId
    const { questions } = this.model.task(fence.taskId)
    const known = questions.get(key)
    if (known) expect([row.requestId, row.answer]).toEqual([known.requestId, known.answer])
    else questions.set(key, { requestId: row.requestId })
    return fence.taskId
  }

  async #answer(): Promise<string | undefined> {
    this.count('answer')
    const task = this.some()
    const question = task && this.random.pick([...task.questions.values()])
    if (task === undefined || question === undefined) return undefined
    const answer: Outcome = { result: { action: 'accept', content: { n: ++this.n } } }
    const [one, two] = [this.worker, this.worker].map(({ messages }) =>
      messages.answer(question.requestId, 'ann', answer)
    )
    const wins = [await one, await two].filter(Boolean).length
    expect(wins, 'an open question takes one answer, a closed one none').toBe(
      this.model.answer(task.taskId, question.requestId, answer) ? 1 : 0
    )
    return task.taskId
  }

  async #wait(): Promise<string | undefined> {
    this.count('wait')
    const task = this.some()
    const connection = this.random.pick(connections)
    if (task === undefined || connection === undefined) return undefined
    const worker = this.worker
    const leave = new AbortController()
    const outcome = awaitOutcome(worker, {
      taskId: task.taskId,
      owner: 'ann',
      claimant: () => ({ connection, can }),
      place: 0,
      send: async (message) => {
        this.shows(connection, message)
        for (let i = 0; i < 8; i++) await turn()
      },
      signal: leave.signal
    })
    const done = outcome.then(
      (ended) => void Object.assign(waiter, { settled: true, outcome: ended.outcome }),
      (error: { code?: unknown }) => void Object.assign(waiter, { settled: true, code: error.code })
    )
    const waiter: Waiter = { taskId: task.taskId, connection, worker, leave, task, done, settled: false }
    this.waiters.push(waiter)
    return task.taskId
  }

  async #take(): Promise<string | undefined> {
    this.count('take')
    const task = this.some()
    const question = task && this.random.pick([...task.questions.values()].filter(({ lent }) => !lent))
    const connection = this.random.pick(connections)
    if (task === undefined || question === undefined || connection === undefined) return undefined
    const open = this.model.isOpen(task.taskId, question.requestId)
    const moves = open && this.holders.get(question.requestId) !== connection
    this.heard.clear()
    const taken = await this.worker.messages.take(question.requestId, 'ann', { connection, can })
    expect(taken?.claimedBy, 'an open question can be taken').toBe(open ? connection : undefined)
    if (open) this.holders.set(question.requestId, connection)
    await this.quiet()
    expect(this.heard.has(task.taskId), 'whoever showed it must hear that it moved').toBe(moves)
    return task.taskId
  }

  /** A connection ends: its waits, and its claims. */
  async #leave(): Promise<undefined> {
    this.count('leave')
    const connection = this.random.pick(connections)
    if (connection === undefined) return
    for (const waiter of this.waiters) {
      if (waiter.connection === connection) waiter.leave.abort(Object.assign(new Error('left'), { code: 'left' }))
    }
    for (const listener of this.listeners) if (listener.connection === connection) listener.stop()
    pageGone(this, connection)
    await this.worker.messages.giveBack(connection)
    const open = await this.worker.messages.open({ owner: 'ann' })
    expect(
      open.map(({ claimedBy }) => claimedBy),
      'who left holds nothing'
    ).not.toContain(connection)
  }

  async #report(): Promise<string | undefined> {
    this.count('report')
    const fence = this.random.pick(this.fences)
    if (fence !== undefined) await this.report(fence)
    return fence?.taskId
  }

  async #finish(): Promise<string | undefined> {
    this.count('finish')
    const fences = this.random.chance(0.3) ? this.fences.filter((one) => this.model.holds(one)) : this.fences
    const fence = this.random.pick(fences)
    if (fence === undefined) return undefined
    const outcome: Outcome = { result: { content: [], n: ++this.n } }
    if (this.random.chance(0.3)) await this.#askAtLast(fence)
    const must = this.model.holds(fence) && this.model.end(fence.taskId, 'completed', outcome)
    const task = await this.worker.tasks.finish(fence, { status: 'completed', outcome })
    expect(task !== undefined, 'a task ends once, and only by its run').toBe(must)
    return fence.taskId
  }

  /** The end comes while somebody is still being sent the last question. */
  async #askAtLast(fence: Fence): Promise<void> {
    const key = `last ${++this.n}`
    const row = await this.worker.messages.ask(fence, { key, method: 'elicitation/create', params: {}, needs })
    if (row) this.model.task(fence.taskId).questions.set(key, { requestId: row.requestId })
    for (let i = this.random.below(6); i > 0; i--) await turn()
  }

  async #cancel(): Promise<string | undefined> {
    this.count('cancel')
    const task = this.random.chance(0.3) ? this.some() : undefined
    if (task !== undefined) await this.end(task, cancelledEnd.outcome)
    return task?.taskId
  }

  /** Cancel and finish at once, from two workers: one wins, and everybody sees the same one. */
  async #race(): Promise<string | undefined> {
    this.count('race')
    const fence = this.random.pick(this.fences)
    if (fence === undefined || !this.model.holds(fence) || this.random.chance(0.5)) return undefined
    const done: Outcome = { result: { content: [], raced: ++this.n } }
    const reported = this.worker.tasks.report(fence, { statusMessage: 'soon' })
    const cancelled = this.worker.tasks.finish({ taskId: fence.taskId }, cancelledEnd)
    const finished = this.worker.tasks.finish(fence, { status: 'completed', outcome: done })
    const winners = (await Promise.all([cancelled, finished])).flatMap((task) => task?.status ?? [])
    expect(winners, 'one of two ends wins').toHaveLength(1)
    await reported
    if (winners[0] === 'cancelled') this.model.end(fence.taskId, 'cancelled', cancelledEnd.outcome)
    else this.model.end(fence.taskId, 'completed', done)
    return fence.taskId
  }

  async #remove(): Promise<undefined> {
    this.count('remove')
    const ended = [...this.model.tasks.values()].filter(({ end }) => end)
    const task = ended.length > 20 ? ended[0] : undefined
    if (task === undefined) return
    expect(await this.worker.tasks.remove('ann', task.taskId)).toEqual([task.taskId])
    this.model.tasks.delete(task.taskId)
    this.fences = this.fences.filter(({ taskId }) => taskId !== task.taskId)
  }

  /** Time passes for all: what has a ttl fails if it runs, and goes if it had ended. */
  async #expire(): Promise<undefined> {
    this.count('expire')
    this.tick(ttl + 1)
    for (const task of Array.from(this.model.tasks.values())) {
      const now = await this.worker.tasks.get(task.taskId)
      if (task.end === undefined && now?.status === 'failed') {
        const look = await this.worker.messages.claim(task.taskId, 'ann', { connection: 'nobody', can: [] }, 0)
        expect(now.statusMessage).toMatch(/^Expired/)
        if (look?.outcome) this.model.end(task.taskId, 'failed', look.outcome)
      } else if (task.end && now === undefined) this.model.tasks.delete(task.taskId)
    }
    await this.worker.retention.sweep()
  }

  /** A worker dies or freezes; the other takes its tasks, and another is started. Its fences live on as a frozen one's would. */
  async #kill(): Promise<undefined> {
    this.count('kill')
    const dead = this.workers.shift()
    if (dead === undefined) return
    this.stop(dead)
    this.workers.push(await this.start())
    await this.adopt(dead.executor, this.workers)
  }

  /** A worker gives its tasks up and lives on, with proofs that hold no more; some time later somebody takes them, perhaps itself. */
  async #abandon(): Promise<undefined> {
    this.count('abandon')
    const { executor, roster } = this.worker
    const given = [...this.model.tasks.values()].filter((task) => !task.end && task.executor === '')
    if (given.length > 0) return this.adopt('', this.workers)
    await roster.abandon(executor)
    for (const task of this.model.tasks.values()) if (!task.end && task.executor === executor) task.executor = ''
  }
}
