import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { runTask } from 'intab'
import { mountDevtools } from 'intab/devtools'
import { StrictMode, useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useQuestions, useTask } from './hooks.js'

const files = (): SharedWorker =>
  new SharedWorker(new URL('./files.worker.ts', import.meta.url), { type: 'module', name: 'files' })

/** The panel's code is loaded when it is mounted. */
function Devtools({ client }: { client: Client }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => (place.current ? mountDevtools(place.current, client) : undefined), [client])
  return <div ref={place} style={{ height: '24rem' }} />
}

function App() {
  const { client, questions, error } = useQuestions(files)
  const [taskId, setTaskId] = useState<string>()
  const [failed, setFailed] = useState<Error>()
  const [developing, setDeveloping] = useState(false)
  const { task, result, ...followed } = useTask(client, taskId)
  if (client === undefined) return <p>{error?.message ?? 'connecting'}</p>

  const start = (): void => {
    setTaskId(undefined)
    setFailed(undefined)
    runTask(client, { name: 'confirm_delete', arguments: { filename: 'a.txt' } }).then(
      (run) => setTaskId(run.taskId),
      setFailed
    )
  }
  const [first] = result?.content ?? []
  const problem = failed ?? followed.error
  return (
    <>
      <button onClick={start}>Delete a.txt</button>
      <button onClick={() => setDeveloping(!developing)}>Devtools</button>
      {questions.map(({ id, message, answer }) => (
        <p key={id}>
          {message}
          <button onClick={() => answer({ action: 'accept', content: { confirm: true } })}>Yes</button>
          <button onClick={() => answer({ action: 'accept', content: { confirm: false } })}>No</button>
        </p>
      ))}
      <output>{problem?.message ?? (first?.type === 'text' ? first.text : task?.status)}</output>
      {developing && <Devtools client={client} />}
    </>
  )
}

const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>
  )
