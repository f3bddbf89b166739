// What must have come of the tasks of one round, told from outside: from acknowledged calls, from what people in front
// of tabs saw and did, and from what the tools wrote down themselves. intab's own records are never read.

import type { Ending, Job, Note, Sign } from './facts.js'

export interface Known {
  tool: string
  job: Job
  /** A tab was told that the task exists. */
  acknowledged: boolean
  /** Somebody asked for its cancellation, whatever came of it. */
  cancelAsked: boolean
  /** What the cancellation was acknowledged as: `cancelled`, or the code of a refusal. */
  cancelled?: string | number
  /** What each tab that asked for the outcome was told. */
  endings: Ending[]
  /** What a tab that lived was told instead. */
  errors: string[]
}

export interface Verdict {
  lost: string[]
  repeated: string[]
}

const stopped = 'The worker that ran this task stopped before it finished'

export class Oracle {
  readonly tasks = new Map<string, Known>()
  readonly #signs: Sign[] = []
  /** Some worker may have died in this round. */
  deaths = 0

  begin(tool: string, job: Job): Known {
    const known: Known = { tool, job, acknowledged: false, cancelAsked: false, endings: [], errors: [] }
    this.tasks.set(job.label, known)
    return known
  }

  saw(sign: Sign): void {
    if (this.tasks.has(sign.label)) this.#signs.push(sign)
  }

  /** Notes in the order in which they were made. */
  judge(notes: readonly Note[]): Verdict {
    const verdict: Verdict = { lost: [], repeated: [] }
    for (const [label, known] of this.tasks) {
      const own = notes.filter((note) => note.label === label)
      const signs = this.#signs.filter((sign) => sign.label === label)
      verdict.lost.push(...this.#losses(known, own).map((what) => `${label} (${known.tool}): ${what}`))
      verdict.repeated.push(...repetitions(own, signs).map((what) => `${label} (${known.tool}): ${what}`))
    }
    return verdict
  }

  #losses({ acknowledged, endings, errors, cancelAsked, cancelled, job, tool }: Known, notes: Note[]): string[] {
    if (!acknowledged) return errors.map((error) => `it could not be started: ${error}`)
    const [ending] = endings
    const losses = errors.map((error) => `a tab was refused: ${error}`)
    // Whoever still waits is stuck, which is told elsewhere.
    if (ending === undefined) return losses
    for (const other of endings) {
      if (other.status !== ending.status || other.text !== ending.text) {
        losses.push(`two tabs got two outcomes: ${JSON.stringify([ending, other])}`)
      }
    }
    if (cancelled === 'cancelled' && ending.status !== 'cancelled') losses.push(`cancelled, and yet ${ending.status}`)
    if (ending.status === 'cancelled' && (!cancelAsked || typeof cancelled === 'number')) {
      losses.push('cancelled, and nobody did it')
    }
    if (ending.status === 'failed' && !(tool === 'fragile' && ending.text === stopped && this.deaths > 0)) {
      losses.push(`failed: ${ending.text}`)
    }
    if (ending.status === 'completed') losses.push(...wrongResult(job, ending.text, notes))
    return losses
  }
}

/** The result is made of the values that the steps and questions came back with, one each. */
function wrongResult(job: Job, text: string, notes: Note[]): string[] {
  const expected = job.acts.flatMap((act, at) => {
    if (act !== 'step' && act !== 'ask') return []
    return notes.findLast((note) => note.at === at && note.what === (act === 'step' ? 'kept' : 'answer'))?.token ?? '?'
  })
  return text === JSON.stringify(expected) ? [] : [`the result is ${text}, and should be ${JSON.stringify(expected)}`]
}

function repetitions(notes: readonly Note[], signs: readonly Sign[]): string[] {
  return [...twoRuns(notes), ...steps(notes), ...answers(notes, signs)]
}

/** A run that has a successor writes nothing any more: the successor starts when its worker is dead. */
function twoRuns(notes: readonly Note[]): string[] {
  let newest = 0
  const late: string[] = []
  for (const { attempt, what, at } of notes) {
    if (attempt < newest) late.push(`run ${attempt} went on (${what} ${at}) after run ${newest} had begun`)
    if (what === 'run' && attempt === newest) late.push(`run ${attempt} began twice`)
    newest = Math.max(newest, attempt)
  }
  return late
}

function steps(notes: readonly Note[]): string[] {
  const found: string[] = []
  const kept = new Map<number, Note>()
  const begun = new Set<string>()
  for (const note of notes) {
    const { what, at, attempt, token } = note
    const before = kept.get(at)
    if (what === 'begin') {
      if (before !== undefined) found.push(`step ${at} was kept in run ${before.attempt} and ran again in ${attempt}`)
      if (begun.has(`${at} ${attempt}`)) found.push(`step ${at} ran twice in run ${attempt}`)
      begun.add(`${at} ${attempt}`)
    }
    if (what !== 'kept') continue
    if (before !== undefined && before.token !== token) found.push(`step ${at} came back with two values`)
    kept.set(at, note)
  }
  return found
}

/** The tool gets the first answer, and no person gives one after another was told that theirs is safe. */
function answers(notes: readonly Note[], signs: readonly Sign[]): string[] {
  const found: string[] = []
  const seen = new Map<number, string>()
  for (const { what, at, token } of notes) {
    if (what !== 'answer') continue
    if ((seen.get(at) ?? token) !== token) found.push(`question ${at} came back with two answers`)
    seen.set(at, token)
    const given = signs.find((sign) => sign.what === 'given' && sign.at === at && sign.token === token)
    const safe = signs.find((sign) => sign.what === 'acknowledged' && sign.at === at && sign.token !== token)
    if (given !== undefined && safe !== undefined && safe.time < given.time) {
      found.push(`question ${at} was answered by ${token} after the answer ${safe.token} had been acknowledged`)
    }
  }
  return found
}
