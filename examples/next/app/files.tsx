'use client'

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { runTask, WorkerTransport } from 'intab'
import { useEffect, useState } from 'react'

const files = (): SharedWorker =>
  new SharedWorker(new URL('./files.worker.ts', import.meta.url), {
    type: 'module',
    name: 'files',
    extendedLifetime: true
  })

interface OpenQuestion {
  message: string
  answer(confirm: boolean): void
}

export function Files() {
  const [client, setClient] = useState<Client>()
  const [question, setQuestion] = useState<OpenQuestion>()
  const [output, setOutput] = useState('')

  useEffect(() => {
    const connecting = new Client({ name: 'next', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
    let mounted = true
    connecting.setRequestHandler(ElicitRequestSchema, ({ params: { message } }, { signal }) => {
      // Answered in another tab, or the task was cancelled.
      signal.addEventListener('abort', () => setQuestion(undefined))
      return new Promise((resolve) => {
        const answer = (confirm: boolean): void => {
          setQuestion(undefined)
          resolve({ action: 'accept', content: { confirm } })
        }
        setQuestion({ message, answer })
      })
    })
    connecting.connect(new WorkerTransport(files)).then(
      () => mounted && setClient(connecting),
      (error: Error) => mounted && setOutput(error.message)
    )
    return () => {
      mounted = false
      connecting.close().catch(reportError)
    }
  }, [])

  const start = async (connected: Client): Promise<void> => {
    setOutput('')
    const run = await runTask(connected, { name: 'confirm_delete', arguments: { filename: 'a.txt' } })
    for await (const { status } of run) setOutput(status)
    const [first] = (await run.result()).content
    if (first?.type === 'text') setOutput(first.text)
  }

  return (
    <>
      <button disabled={client === undefined} onClick={() => client && start(client)}>
        Delete a.txt
      </button>
      {question && (
        <p>
          {question.message} <button onClick={() => question.answer(true)}>Yes</button>{' '}
          <button onClick={() => question.answer(false)}>No</button>
        </p>
      )}
      <output>{output}</output>
    </>
  )
}
