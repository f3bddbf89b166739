// The page around each agent: a prompt, a stop button, the questions of tools, and the tasks of the origin.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { listTasks, watchTasks, WorkerTransport } from 'intab'

/** One run of an agent's loop; resolves with the model's last words. The signal is the controller's. */
export type Run = (prompt: string, signal: AbortSignal, controller: AbortController) => Promise<string>

export const files = (): SharedWorker =>
  new SharedWorker(new URL('./files.worker.ts', import.meta.url), { type: 'module', name: 'files' })

const add = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  to: HTMLElement = document.body
): HTMLElementTagNameMap[Name] => to.appendChild(Object.assign(document.createElement(name), properties))

/** Shows a question of a tool, and resolves with the user's answer. A question that is asked again replaces itself. */
export function askUser(message: string): Promise<{ action: 'accept'; content: { confirm: boolean } }> {
  document.querySelector('dialog')?.remove()
  const dialog = add('dialog', { open: true })
  add('p', { textContent: message }, dialog)
  return new Promise((resolve) => {
    for (const [textContent, confirm] of [
      ['Yes', true],
      ['No', false]
    ] as const) {
      const onclick = (): void => {
        dialog.remove()
        resolve({ action: 'accept', content: { confirm } })
      }
      add('button', { textContent, onclick }, dialog)
    }
  })
}

/** Builds the page: one button for each way to run the agent. */
export async function showPage(runs: Record<string, Run>): Promise<void> {
  add('h1', { textContent: document.title })
  const prompt = add('input', { value: 'Delete a.txt', ariaLabel: 'Prompt' })
  const output = document.createElement('output')
  let controller = new AbortController()
  for (const [textContent, run] of Object.entries(runs)) {
    const onclick = (): void => {
      controller = new AbortController()
      output.textContent = 'running'
      run(prompt.value, controller.signal, controller).then(
        (text) => (output.textContent = controller.signal.aborted ? 'stopped' : text),
        (error: Error) => (output.textContent = controller.signal.aborted ? 'stopped' : `failed: ${error.message}`)
      )
    }
    add('button', { textContent, onclick })
  }
  add('button', { textContent: 'Stop', onclick: () => controller.abort() })
  document.body.append(output)

  const client = new Client({ name: 'tasks', version: '1.0.0' })
  const transport = new WorkerTransport(files)
  await client.connect(transport)
  const list = add('ul', { ariaLabel: 'Tasks' })
  const show = async (): Promise<void> => {
    const { tasks } = await listTasks(client)
    list.replaceChildren()
    for (const { status, attempt } of tasks) add('li', { textContent: `${status}, attempt ${attempt}` }, list)
  }
  const update = (): void => void show().catch((error: Error) => (output.textContent = error.message))
  await watchTasks(client, { ontask: update, onremoved: update })
  // What the next worker did before this page reached it, it told nobody.
  transport.onstatechange = (state) => state === 'connected' && update()
  await show()
}
