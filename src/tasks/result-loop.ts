// The heart: wait for a task without polling, deliver what is pending for it, answer with its outcome.

import { endOfWatch, invalidParams } from '../errors.js'
import type { Claimant, MessageQueue, MessageRecord, Outcome, TaskRecord, UpdateBus } from '../types.js'
import { persist } from './persist.js'
import { isFinal } from './status.js'
import type { Waiters } from './waiters.js'

export interface Wait {
  taskId: string
  owner: string
  /** Asked anew at each look: a client may declare its capabilities late. */
  claimant(): Claimant
  /** `n` of the newest notification that this connection has read. */
  place: number
  /** Sends on the stream of the waiting request; rejects when nobody is there. */
  send(message: MessageRecord): Promise<void>
  /** Returns what this connection claimed and does not show: a claim that seemed to fail may have been committed. */
  giveBack?(): Promise<void>
  /** Told of the place after each notification was sent. */
  onplace?(n: number): void
  signal: AbortSignal
}

/**
 * Resolves with the final task and its outcome, after every message that was there before it was sent.
 * Rejects with -32602 when the task is unknown, foreign or expired; with the signal's reason when it aborts;
 * with what `send` rejected with, after giving back what was claimed and not sent; with what the store rejects with
 * again and again.
 */
export async function awaitOutcome(
  { messages, bus, waiters }: { messages: MessageQueue; bus: UpdateBus; waiters: Waiters },
  wait: Wait
): Promise<{ task: TaskRecord; outcome: Outcome }> {
  const { taskId, owner, signal } = wait
  let place = wait.place
  const leave = waiters.add(taskId, {
    signal,
    looker: () => ({ ...wait.claimant(), owner, place }),
    show(request) {
      place = request.n
      return wait.send(request)
    }
  })
  let seen = false
  try {
    for await (const left of bus.watch(taskId, signal)) {
      // What somebody shows now is nothing to send.
      if (seen && left?.request?.state === 'delivered') continue
      let known = left
      let more = true
      while (more) {
        const look = await persist(async (again) => {
          if (again) await wait.giveBack?.()
          return messages.claim(taskId, owner, wait.claimant(), place, again ? undefined : known)
        }, signal).catch(async (error: unknown) => {
          // The last try may have claimed all the same. What cannot be given back now, the connection's end gives back.
          await wait.giveBack?.().catch(() => undefined)
          throw error
        })
        known = undefined
        if (look === undefined)
          throw invalidParams(seen ? `Task has expired or was deleted: ${taskId}` : `Task not found: ${taskId}`)
        seen = true
        more = look.more
        place = await deliver(messages, wait, look.messages, place)
        // All that was there is delivered: the next look reads only what came since.
        if (!more) place = look.task.messageCount
        if (isFinal(look.task.status) && look.outcome !== undefined && !more) {
          return { task: look.task, outcome: look.outcome }
        }
      }
    }
    throw endOfWatch(signal)
  } finally {
    leave()
  }
}

async function deliver(
  queue: MessageQueue,
  { claimant, send, onplace, signal }: Wait,
  found: readonly MessageRecord[],
  place: number
): Promise<number> {
  const sent = found.map((message) => (signal.aborted ? Promise.reject(signal.reason) : send(message)))
  const fates = await Promise.allSettled(sent)
  const failed = fates.findIndex((fate) => fate.status === 'rejected')
  const delivered = failed < 0 ? found : found.slice(0, failed)
  for (const message of delivered) {
    if (message.kind !== 'notification') continue
    place = message.n
    onplace?.(place)
  }
  const fate = fates[failed]
  if (fate?.status !== 'rejected') return place
  const unsent = found.filter((message, i) => message.kind === 'request' && fates[i]?.status === 'rejected')
  const only = unsent.flatMap((message) => (message.kind === 'request' ? [message.requestId] : []))
  if (only.length > 0) await queue.giveBack(claimant().connection, { only })
  throw fate.reason
}
