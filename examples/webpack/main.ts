import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { runTask, WorkerTransport } from 'intab'

function find<T extends HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector)
  if (found === null) throw new Error(`index.html has no ${selector}`)
  return found
}

const start = find<HTMLButtonElement>('#start')
const question = find('#question')
const output = find('output')
const client = new Client({ name: 'webpack', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })

client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
  find('#question span').textContent = params.message
  question.hidden = false
  // Answered in another tab, or the task was cancelled.
  signal.addEventListener('abort', () => (question.hidden = true))
  return new Promise((resolve) => {
    question.onclick = ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return
      question.hidden = true
      resolve({ action: 'accept', content: { confirm: target.value === 'yes' } })
    }
  })
})

start.onclick = async () => {
  output.textContent = ''
  const run = await runTask(client, { name: 'confirm_delete', arguments: { filename: 'a.txt' } })
  for await (const { status } of run) output.textContent = status
  const [first] = (await run.result()).content
  if (first?.type === 'text') output.textContent = first.text
}

await client.connect(
  new WorkerTransport(
    () =>
      new SharedWorker(new URL('./files.worker.ts', import.meta.url), {
        type: 'module',
        name: 'files',
        extendedLifetime: true
      })
  )
)
start.disabled = false
