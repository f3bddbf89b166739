// Two hooks to copy: a connection with its questions, and a task as it goes on. Both are undone when their component unmounts.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type CallToolResult, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { followTask, type TaskInfo, type WorkerFactory, WorkerTransport } from 'intab'
import { useEffect, useState } from 'react'

export interface OpenQuestion {
  id: string | number
  message: string
  answer(result: ElicitResult): void
}

export interface TaskState {
  task?: TaskInfo
  result?: CallToolResult
  error?: Error
}

/**
 * Connects, and lists the questions of tools that this tab is to answer; `client` is there once it is connected. A question
 * that is open when the component unmounts is asked in another tab. `worker` must be the same function in each render.
 */
export function useQuestions(worker: WorkerFactory): { client?: Client; questions: OpenQuestion[]; error?: Error } {
  const [connected, setConnected] = useState<{ client?: Client; error?: Error }>({})
  const [questions, setQuestions] = useState<OpenQuestion[]>([])

  useEffect(() => {
    const mount = new AbortController()
    const client = new Client({ name: 'app', version: '1.0.0' }, { capabilities: { elicitation: { form: {} } } })
    const without = (id: string | number) => (all: OpenQuestion[]) => all.filter((question) => question.id !== id)
    client.setRequestHandler(ElicitRequestSchema, ({ params: { message } }, { requestId: id, signal }) => {
      // Answered in another tab, or the task was cancelled.
      signal.addEventListener('abort', () => setQuestions(without(id)))
      return new Promise((resolve) => {
        const answer = (result: ElicitResult): void => {
          setQuestions(without(id))
          resolve(result)
        }
        setQuestions((all) => [...without(id)(all), { id, message, answer }])
      })
    })
    client.connect(new WorkerTransport(worker)).then(
      () => mount.signal.aborted || setConnected({ client }),
      (error: Error) => mount.signal.aborted || setConnected({ error })
    )
    return () => {
      mount.abort()
      setConnected({})
      setQuestions([])
      client.close().catch(reportError)
    }
  }, [worker])

  return { ...connected, questions }
}

/** Follows a task by its id, which may come from `runTask`, `listTasks` or the page before a reload. Unmounting does not cancel it. */
export function useTask(client: Client | undefined, taskId: string | undefined): TaskState {
  const [state, setState] = useState<TaskState>({})

  useEffect(() => {
    if (client === undefined || taskId === undefined) return undefined
    const mount = new AbortController()
    const update = (more: TaskState): void => {
      if (!mount.signal.aborted) setState((before) => ({ ...before, ...more }))
    }
    const follow = async (): Promise<void> => {
      const run = await followTask(client, taskId, { signal: mount.signal })
      for await (const task of run) update({ task })
      update({ result: await run.result() })
    }
    setState({})
    follow().catch((error: Error) => update({ error }))
    return () => mount.abort()
  }, [client, taskId])

  return state
}
