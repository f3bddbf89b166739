// A browser says of a worker that fails only that it failed. What its script's address answers tells the causes apart.

// It is loaded when something failed, and imports nothing: what it shared with the rest would be a file of its own for all.

import type { WorkerFactory } from './make-worker.js'

interface Script {
  url: URL
  options: WorkerOptions
}

/** How long an explanation may take; milliseconds. */
const patience = 5_000

const consoles =
  'The console of a SharedWorker is at chrome://inspect/#workers, at about:debugging in Firefox, and in the Develop menu of Safari.'

const advice =
  'Check that its script loads (status, Content-Security-Policy, errors in its console), that it calls serve(), ' +
  'and that all tabs create it with the same options (type, name, extendedLifetime).'

/** What the address of the worker's script answers, when the factory tells it; the script is fetched once more for it. */
export async function explain(factory: WorkerFactory, data: unknown): Promise<string> {
  if (typeof factory !== 'function') return 'Pass a function that creates it: () => new SharedWorker(…).'
  // It runs, and says so: its script is there.
  if (data === 'busy') return consoles
  if (data === 'missing') return 'This browser has no SharedWorker: pass `fallback` to WorkerTransport.'
  const script = scriptOf(factory)
  return `${script ? await findingOf(script, data === 'silent') : advice} ${consoles}`
}

/** The address and options of the worker that the factory makes; a constructor that makes none is in its way. */
function scriptOf(factory: WorkerFactory): Script | undefined {
  let script: Script | undefined
  function record(url: string | URL, options: string | WorkerOptions = {}): never {
    script = { url: new URL(url, location.href), options: typeof options === 'string' ? { name: options } : options }
    throw new Error('Only its address was asked for')
  }
  const { SharedWorker, Worker } = globalThis
  Object.assign(globalThis, { ...(SharedWorker && { SharedWorker: record }), ...(Worker && { Worker: record }) })
  try {
    factory()
  } catch (error) {
    if (script === undefined) throw error
  } finally {
    Object.assign(globalThis, { ...(SharedWorker && { SharedWorker }), ...(Worker && { Worker }) })
  }
  return script
}

async function findingOf({ url, options }: Script, silent: boolean): Promise<string> {
  let response: Response
  try {
    response = await fetch(url, { credentials: 'same-origin', signal: AbortSignal.timeout(patience) })
  } catch (error) {
    return `The worker's script ${url} could not be fetched: ${error instanceof Error ? error.message : String(error)}.`
  }
  if (!response.ok) return `The worker's script ${url} returned status ${response.status}: check its path.`
  const [type = ''] = (response.headers.get('content-type') ?? 'no content type').split(';')
  if (!/(java|ecma)script/i.test(type)) {
    const page = /html/i.test(type) ? '; some servers return their page for unknown paths: check its path' : ''
    return `The worker's script ${url} returned ${type} instead of JavaScript${page}.`
  }
  if (options.type !== 'module' && /^\s*(import|export)\b/m.test(await response.text())) {
    return `The worker's script ${url} is a module: create the worker with { type: 'module' }.`
  }
  if (silent) return `The worker's script ${url} loads, but does not call serve(), or code before that call never ends.`
  return (
    `The worker's script ${url} loads, so it throws, does not parse or imports a missing module, or another tab ` +
    `created this worker with other options (here: ${JSON.stringify(options)}).`
  )
}
