// A language model in a worker of its own, by Transformers.js: https://huggingface.co/docs/transformers.js
// The worker's response has a Content-Security-Policy of its own, so that the page's need not allow WebAssembly or other hosts.

import { env, InterruptableStoppingCriteria, pipeline, StoppingCriteriaList } from '@huggingface/transformers'
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url'
import type { FromModel, ToModel } from './transformers-model.js'

const scope = globalThis as unknown as {
  postMessage(message: FromModel): void
  onmessage: (event: MessageEvent<ToModel>) => void
}

/** Of one reply. */
const mostTokens = 256

const stop = new InterruptableStoppingCriteria()
let generate: Awaited<ReturnType<typeof pipeline<'text-generation'>>> | undefined

async function load(model: string): Promise<void> {
  // From this origin, not from the library's content delivery network; without cross-origin isolation there is one thread.
  Object.assign(env.backends.onnx.wasm ?? {}, { wasmPaths: { wasm: new URL(wasm, location.href).href }, numThreads: 1 })
  env.useWasmCache = false
  const isOurs = model.startsWith('/')
  env.allowLocalModels = isOurs
  env.allowRemoteModels = !isOurs
  env.localModelPath = '/'
  generate = await pipeline('text-generation', isOurs ? model.slice(1) : model, {
    device: 'wasm',
    progress_callback(info) {
      if (info.status === 'progress_total') scope.postMessage({ loaded: info.loaded, total: info.total })
    }
  })
}

async function reply(turns: Exclude<ToModel, 'stop'>['turns']): Promise<string> {
  if (generate === undefined || turns === undefined) throw new Error('Load a model first')
  stop.reset()
  const stopping_criteria = new StoppingCriteriaList()
  stopping_criteria.push(stop)
  const options = { max_new_tokens: mostTokens, do_sample: false, return_full_text: false, stopping_criteria }
  const [output] = (await generate(turns, options)) as { generated_text: string | { content: string }[] }[]
  const said = output?.generated_text ?? ''
  return typeof said === 'string' ? said : (said.at(-1)?.content ?? '')
}

scope.onmessage = ({ data }) => {
  if (data === 'stop') return stop.interrupt()
  const work = data.load === undefined ? reply(data.turns) : load(data.load).then(() => '')
  work.then(
    (text) => scope.postMessage({ done: text }),
    (error: unknown) => scope.postMessage({ failed: error instanceof Error ? error.message : String(error) })
  )
}
