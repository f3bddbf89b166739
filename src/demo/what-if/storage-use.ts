// How much is stored, and of what.

import { byId, h } from '../dom.js'
import { bytes } from '../format.js'
import { storageUse } from '../private-files.js'
import { words } from '../tasks/words.js'
import type { Survey } from './survey.js'

/** Shows use of storage and counts of tasks and questions in `#storage`. */
export async function showStorageUse({ tasks, questions }: Survey): Promise<void> {
  const use = await storageUse()
  const statuses = [...tasks.values()].map(({ status }) => status)
  const counts = Object.entries(words).map(([status, label]) => {
    return [label, String(statuses.filter((other) => other === status).length)] as const
  })
  const facts = [
    ['Storage', use ? `${bytes(use.usage ?? 0)} of ${bytes(use.quota ?? 0)}` : 'not told by this browser'],
    ['Tasks', String(tasks.size)],
    ...counts,
    ['Open questions', String(questions.length)]
  ] as const
  byId('storage').replaceChildren(...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))))
}
