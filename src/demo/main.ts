// The demo: one tab of an app whose MCP server lives in the browser.

import './jitless.js'
import { TaskStatusNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { followTask, listQuestions, listTasks, runTask, takeQuestion } from 'intab'
import { makeConnection } from './connect.js'
import { byId, h } from './dom.js'
import type { JsonObject } from './json.js'
import { taskOf } from './task-of.js'
import { isOwn, remember } from './own-tasks.js'
import { isFinal } from './task-card.js'
import { TaskList } from './task-list.js'
import { toolForm } from './tool-form.js'

const { client, transport } = makeConnection()

function showError(error: unknown): void {
  const close = h('button', { type: 'button', 'aria-label': 'Dismiss' }, '×')
  const alert = h('div', { class: 'alert' }, h('p', {}, error instanceof Error ? error.message : String(error)), close)
  close.addEventListener('click', () => alert.remove())
  byId('alerts').append(alert)
}

const follow = async (taskId: string) => (await followTask(client, taskId)).result()

const tasks = new TaskList(
  {
    cancel: async (taskId) => (await followTask(client, taskId)).cancel(),
    askHere: async (taskId) => {
      const questions = await listQuestions(client)
      for (const question of questions) if (question.taskId === taskId) await takeQuestion(client, question.requestId)
    },
    result: follow
  },
  showError
)

async function run(name: string, args: JsonObject): Promise<void> {
  const started = await runTask(client, { name, arguments: args })
  remember(started.taskId)
  const card = tasks.show(started.task)
  await card.showResult(started.result())
}

async function showTasks(): Promise<void> {
  const page = await listTasks(client, { order: 'newest' })
  tasks.replace(page.tasks)
  // Whoever waits for a task is asked its questions first; those that nobody waits for come to any tab, a little later.
  const open = page.tasks.filter((task) => isOwn(task.taskId) && !isFinal(task))
  await Promise.all(open.map((task) => tasks.show(task).showResult(follow(task.taskId))))
}

async function showTools(): Promise<void> {
  const { tools } = await client.listTools()
  const forms = tools.map((tool) => toolForm(tool, (args) => run(tool.name, args), showError))
  byId('tools').replaceChildren(...forms)
}

client.onerror = showError
client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => {
  const task = taskOf(params)
  tasks.show(task)
  tasks.announce(task)
})
transport.onstatechange = (state) => {
  byId('connection').textContent = state
  byId('connection').dataset['state'] = state
}

client
  .connect(transport)
  .then(() => Promise.all([showTools(), showTasks()]))
  .catch(showError)
