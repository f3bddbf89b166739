// The tab Tasks: the list with its filters on one side, the task that is chosen on the other.

import type { TaskInfo } from '../../client/task-info.js'
import { toError } from '../../errors.js'
import { button, everyFrame, h } from '../dom.js'
import type { Pane } from '../pane.js'
import { VirtualList } from '../virtual-list.js'
import { clock, statusWords } from '../words.js'
import { exportTasks } from './export-tasks.js'
import { type Status, TaskIndex } from './task-index.js'
import { TaskView } from './task-view.js'
import type { ConnectedClient } from '../../protocol/connected-client.js'

const rowOf = (task: TaskInfo): Node[] => [
  h('span', { class: `dot ${task.status}` }),
  h('b', {}, task.tool ?? 'task'),
  h('span', { class: task.status }, statusWords[task.status]),
  h('small', { class: 'message' }, task.statusMessage ?? task.progress?.message ?? task.taskId),
  h('small', {}, clock(Date.parse(task.createdAt), 'short'))
]

/** The generation of the worker that answers, which a WorkerTransport knows. */
const workerOf = ({ transport }: ConnectedClient): unknown =>
  transport !== undefined && 'worker' in transport ? transport.worker : undefined

export function tasksPane(client: ConnectedClient): Pane {
  const index = new TaskIndex(client)
  const search = h('input', { type: 'search', placeholder: 'Tool, id or message', 'aria-label': 'Search' })
  const all = h('option', { value: '' }, 'every status')
  const statuses = Object.entries(statusWords).map(([value, text]) => h('option', { value }, text))
  const filter = h('select', { 'aria-label': 'Status' }, all, ...statuses)
  const count = h('span', { class: 'count', role: 'status' })
  const trouble = h('p', { class: 'trouble', role: 'alert', hidden: '' })
  const detail = h('div', { class: 'detail' })
  const element = h('div', { class: 'tasks' })
  let view: TaskView | undefined

  const fail = (error: unknown): void => {
    trouble.textContent = toError(error).message
    trouble.hidden = false
  }
  const read = async (): Promise<void> => {
    trouble.hidden = true
    await index.read()
    await view?.read()
  }
  const close = (): void => {
    view?.close()
    view = undefined
    detail.replaceChildren(h('p', { class: 'empty' }, 'Choose a task to see what happened to it.'))
    delete element.dataset['open']
    frame.soon()
  }
  const list = new VirtualList<TaskInfo>({
    label: 'Tasks, newest first',
    height: 46,
    id: ({ taskId }) => taskId,
    row: rowOf,
    onchoose(task) {
      view?.close()
      view = new TaskView(client, task, { onerror: fail, onclose: close })
      detail.replaceChildren(view.element)
      element.dataset['open'] = ''
      view.read().catch(fail)
    }
  })
  const find = (): TaskInfo[] => index.find(search.value, filter.value === '' ? undefined : (filter.value as Status))
  // In the order of their creation.
  const exportAll = (): Promise<void> =>
    exportTasks(
      client,
      find()
        .map(({ taskId }) => taskId)
        .reverse()
    )
  const frame = everyFrame(() => {
    const found = find()
    list.show(found, view?.taskId)
    count.textContent = `${found.length} of ${index.size}${index.isComplete ? '' : ', reading …'}`
  })
  index.onchange = (task) => {
    frame.soon()
    if (task !== undefined && task.taskId === view?.taskId) view.see(task)
    else if (view !== undefined && index.isComplete && index.get(view.taskId) === undefined) view.removed()
  }
  for (const control of [search, filter]) {
    control.addEventListener('input', () => {
      list.element.scrollTop = 0
      frame.soon()
    })
  }
  element.append(
    h(
      'div',
      { class: 'bar' },
      search,
      filter,
      count,
      button('Reload', read, fail),
      button('Export list', exportAll, fail)
    ),
    trouble,
    h('div', { class: 'split' }, list.element, detail)
  )
  close()
  read().catch(fail)
  let worker = workerOf(client)
  const timer = setInterval(() => {
    view?.tick()
    // A worker that has taken over changed tasks before it could be asked to tell.
    const now = workerOf(client)
    if (now === undefined || now === worker) return
    worker = now
    read().catch(fail)
  }, 1000)
  return {
    element,
    close() {
      clearInterval(timer)
      close()
      frame.stop()
      list.close()
      index.close()
    }
  }
}
