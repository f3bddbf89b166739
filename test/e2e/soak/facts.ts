// What the parts of the soak tell each other; nothing of it is intab's own.

/** What a tool does, in order. */
export type Act = 'step' | 'ask' | 'report' | 'nap'

export interface Job {
  /** Names the task from before it exists. */
  label: string
  acts: Act[]
}

/** What a tool writes down beside intab, durable before it goes on. */
export interface Note {
  label: string
  attempt: number
  /**
   * `run`: the handler began. `begin`: the body of a step runs. `kept`: the step's value came back. `answer`: the
   * answer of a question came back.
   */
  what: 'run' | 'begin' | 'kept' | 'answer'
  /** Place of the act in the job; -1 for `run`. */
  at: number
  /** The value of the step, or of the answer. */
  token: string
}

/** What a person in front of a tab sees and does. */
export interface Sign {
  /** `given`: the person answered. `acknowledged`: the tab was told that the answer is safe. */
  what: 'asked' | 'given' | 'acknowledged'
  label: string
  at: number
  token: string
  /** Milliseconds since the epoch, fractions too; the same clock for all tabs. */
  time: number
}

/** How a task ended, as one tab was told. */
export interface Ending {
  status: string
  text: string
}

export const stepKey = (at: number): string => `act ${at}`

/** The message of a question says which it is. */
export const messageOf = (label: string, at: number): string => `${label} ${at}`

export function parseMessage(message: string): { label: string; at: number } {
  const [label = '', at = ''] = message.split(' ')
  return { label, at: Number(at) }
}
