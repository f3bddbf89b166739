// A model that the person chose to load, in a worker: nothing of it is loaded before.

import type { Turn } from '../questions/language-model.js'
import type { Model } from './model.js'
import { promptOf, replyOf } from './prompt.js'

/** To the worker: a model to load, turns to reply to, or to stop replying. */
export type ToModel = { load?: string; turns?: Turn[] } | 'stop'
/** From the worker: bytes that came, and how each request ended. */
export type FromModel = { loaded: number; total: number } | { done: string } | { failed: string }

/**
 * Loads a model of huggingface.co, or of this origin if its name begins with "/". Rejects when there is no such model, or it
 * cannot run here. `end` frees its memory.
 */
export async function loadModel(
  name: string,
  onprogress: (loaded: number, total: number) => void
): Promise<Model & { end(): void }> {
  const worker = new Worker(new URL('./transformers.worker.ts', import.meta.url), { type: 'module' })

  /** One at a time: the agent waits for each reply. */
  const ask = (request: ToModel): Promise<string> =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromModel>) => {
        if ('loaded' in data) onprogress(data.loaded, data.total)
        else if ('done' in data) resolve(data.done)
        else reject(new Error(data.failed))
      }
      worker.onerror = ({ message }) => reject(new Error(`The model's worker failed: ${message || 'no reason given'}`))
      worker.postMessage(request)
    })

  try {
    await ask({ load: name })
  } catch (error) {
    worker.terminate()
    throw error
  }
  return {
    label: `${name}, by Transformers.js`,
    async next(messages, tools, signal) {
      const stop = (): void => worker.postMessage('stop')
      signal.addEventListener('abort', stop, { once: true })
      try {
        const text = await ask({ turns: promptOf(messages, tools) })
        signal.throwIfAborted()
        return replyOf(text, tools)
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    end: () => worker.terminate()
  }
}
