import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { CallToolResultSchema, CreateTaskResultSchema, type Task } from '@modelcontextprotocol/sdk/types.js'
import { server } from './server.js'

const client = new Client({ name: 'page', version: '1.0.0' })
const [ours, theirs] = InMemoryTransport.createLinkedPair()
const connected = Promise.all([server.connect(theirs), client.connect(ours)])

const list = document.querySelector<HTMLOListElement>('#tasks')
const form = document.querySelector<HTMLFormElement>('#brew')
const tea = document.querySelector<HTMLInputElement>('#tea')

/** Shows a task, and its result once there is one. */
async function follow({ taskId, status }: Task): Promise<void> {
  const item = document.createElement('li')
  item.textContent = `${taskId}: ${status}`
  list?.append(item)
  const { content } = await client.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema)
  const [first] = content
  item.textContent = `${taskId}: ${first?.type === 'text' ? first.text : ''}`
}

async function listTasks(): Promise<void> {
  await connected
  let cursor: string | undefined
  do {
    const page = await client.experimental.tasks.listTasks(cursor)
    for (const task of page.tasks) follow(task).catch(reportError)
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

async function brew(): Promise<void> {
  await connected
  const params = { name: 'brew', arguments: { tea: tea?.value ?? '' }, task: {} }
  const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema)
  await follow(task)
}

form?.addEventListener('submit', (event) => {
  event.preventDefault()
  brew().catch(reportError)
})

listTasks().catch(reportError)
