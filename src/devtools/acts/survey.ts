// What there is before and after an act, and what to say of the difference.

import { listQuestions } from '../../client/questions.js'
import { isOver, type TaskInfo } from '../../client/task-info.js'
import { listTasks } from '../../client/tasks.js'
import type { ConnectedClient } from '../../protocol/connected-client.js'

export interface Survey {
  tasks: Map<string, TaskInfo>
  questions: string[]
}

/** Reads every task of the owner, page by page, and the open questions. */
export async function survey(client: ConnectedClient): Promise<Survey> {
  const tasks = new Map<string, TaskInfo>()
  let cursor: string | undefined
  do {
    const page = await listTasks(client, cursor === undefined ? {} : { cursor })
    for (const task of page.tasks) tasks.set(task.taskId, task)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  const questions = (await listQuestions(client)).map(({ requestId }) => requestId)
  return { tasks, questions }
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

/** A sentence for each kind of thing that survived, went on, or did not. */
export function compare(before: Survey, after: Survey): string[] {
  const pairs = [...before.tasks.values()].map((was) => [was, after.tasks.get(was.taskId)] as const)
  const kept = pairs.filter(([, is]) => is !== undefined).length
  const open = pairs.filter(([was]) => !isOver(was))
  const resumed = open.filter(([was, is]) => (is?.attempt ?? 0) > (was.attempt ?? 0) && is?.status !== 'failed').length
  const untouched = open.filter(([was, is]) => is?.attempt === was.attempt && is !== undefined && !isOver(is)).length
  const failed = open.filter(([, is]) => is?.status === 'failed').length
  const asked = before.questions.filter((id) => after.questions.includes(id)).length
  return [
    `${kept} of ${count(before.tasks.size, 'task', 'tasks')} still there.`,
    ...(resumed > 0 ? [`${count(resumed, 'task went on', 'tasks went on')} in another worker.`] : []),
    ...(untouched > 0 ? [`${count(untouched, 'task runs', 'tasks run')} on as if nothing had happened.`] : []),
    ...(failed > 0 ? [`${count(failed, 'task failed: its tool', 'tasks failed: their tools')} cannot resume.`] : []),
    ...(before.questions.length > 0
      ? [`${asked} of ${count(before.questions.length, 'question', 'questions')} still open.`]
      : [])
  ]
}
