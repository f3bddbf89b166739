// What tasks and questions must do, in the fewest words: the rules, without storage, wire or time.

import type { FinalStatus, Outcome, Progress } from '../../src/types.js'

export interface ModelQuestion {
  requestId: string
  answer?: Outcome
  /** A call of a tool that tabs lend. */
  lent?: true
  /** Runs in a page that must not run it twice. */
  once?: boolean
}

export interface ModelTask {
  taskId: string
  executor: string
  attempt: number
  /** Questions by key, open or answered. */
  questions: Map<string, ModelQuestion>
  progress?: Progress
  end?: { status: FinalStatus; outcome: Outcome }
}

export class Model {
  readonly tasks = new Map<string, ModelTask>()

  create(taskId: string, executor: string): void {
    this.tasks.set(taskId, { taskId, executor, attempt: 1, questions: new Map() })
  }

  task(taskId: string): ModelTask {
    const task = this.tasks.get(taskId)
    if (task === undefined) throw new Error(`The model has no task ${taskId}`)
    return task
  }

  /** Whether a write with this fence must succeed. */
  holds({ taskId, executor, attempt }: { taskId: string; executor: string; attempt: number }): boolean {
    const task = this.tasks.get(taskId)
    return task !== undefined && !task.end && task.executor === executor && task.attempt === attempt
  }

  isOpen(taskId: string, requestId: string): boolean {
    return this.open(this.task(taskId)).some((question) => question.requestId === requestId)
  }

  open(task: ModelTask): ModelQuestion[] {
    return task.end ? [] : [...task.questions.values()].filter(({ answer }) => answer === undefined)
  }

  status(task: ModelTask): string {
    return task.end?.status ?? (this.open(task).some(({ lent }) => !lent) ? 'input_required' : 'working')
  }

  /** True for the first answer of an open question, which is then the only one. */
  answer(taskId: string, requestId: string, answer: Outcome): boolean {
    const question = this.open(this.task(taskId)).find((open) => open.requestId === requestId)
    if (question === undefined) return false
    question.answer = answer
    return true
  }

  /** What the task shows after a report: a run that begins again says less than the one before it. */
  report(taskId: string, progress: Progress | undefined): Progress | undefined {
    const task = this.task(taskId)
    if (progress && progress.progress >= (task.progress?.progress ?? 0)) task.progress = progress
    return task.progress
  }

  /** True for the first end, which is then the only one. */
  end(taskId: string, status: FinalStatus, outcome: Outcome): boolean {
    const task = this.task(taskId)
    if (task.end) return false
    task.end = { status, outcome }
    return true
  }
}
