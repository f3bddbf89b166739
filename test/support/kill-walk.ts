// What must hold of a task whose first worker died at one of its commits or sends.

export interface Walked {
  /** Commits and sends of the first worker, in order; it died at the last one. */
  points: string[]
  /** The one at which it was killed, where others may have been under way beside it. */
  killed?: string
  result: { isError?: boolean | undefined; content: unknown }
  statuses: string[]
  /** Ids of the questions that the client was asked, in order. */
  asked: string[]
  /** Steps whose effect happened, in order. */
  log: string[]
}

export interface Expected {
  /** The text of the undisturbed result. */
  text: string
  resumes: boolean
}

export const stopped = 'The worker that ran this task stopped before it finished'

export const textOf = ({ content }: Walked['result']): unknown =>
  Array.isArray(content) ? (content[0] as { text?: unknown } | undefined)?.text : undefined

/** Every rule that was broken, in words; empty when all is well. */
export function faultsOf(walked: Walked, { text, resumes }: Expected): string[] {
  const { points, killed = points.at(-1), result, statuses, asked, log } = walked
  const faults: string[] = []
  const must = (rule: string, holds: boolean): void => {
    if (!holds) faults.push(`${rule}, killed at ${points.length - 1} ${killed}: ${JSON.stringify(walked)}`)
  }
  const survived = textOf(result) === text
  must('a task ends with its result, or says that its worker stopped', survived || textOf(result) === stopped)
  must('the last status tells the same', statuses.at(-1) === (survived ? 'completed' : 'failed'))
  const told = (act: string): boolean => points.includes(`committed:${act}`)
  // Killed inside a transaction: either way is right.
  const open = (act: string): boolean => points.includes(`before:${act}`) && !told(act)
  if (resumes || told('finish')) must('what resumes or has ended survives', survived)
  else if (told('create') && !open('finish')) must('what cannot resume does not', !survived)
  must('nothing is asked twice', new Set(asked).size === asked.length)
  if (resumes) must('a resumed run asks the same question', asked.length === 1)
  const kept = points.filter((point) => point === 'committed:step').length
  const times = (step: string): number => log.filter((done) => done === step).length
  must('a step whose value was kept never runs again', times('first') <= (kept >= 1 ? 1 : 2))
  must('a step whose value was kept never runs again', times('second') <= (kept >= 3 ? 1 : 2))
  return faults
}

/** Points by name and how often it came before, from 0: whatever order two of them come in, each can be found again. */
export function counter(): (point: string) => string {
  const counts = new Map<string, number>()
  return (point) => {
    const before = counts.get(point) ?? 0
    counts.set(point, before + 1)
    return `${point}#${before}`
  }
}
