#!/usr/bin/env node
// The `intab` command. Standard output is the protocol's when it serves stdio, so all words go to standard error.

import { toError } from '../errors.js'
import { readArguments } from './arguments.js'
import { openBridge } from './bridge.js'

/** What ends with the bridge has this long, then the process ends all the same, and its browser with it; milliseconds. */
const lastCall = 5_000

const say = (text: string): boolean => process.stderr.write(`${text}\n`)

async function run(): Promise<void> {
  const options = readArguments(process.argv.slice(2), process.env)
  if ('say' in options) return void process.stdout.write(`${options.say}\n`)
  const stop = new AbortController()
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())

  const onerror = (error: Error): boolean => say(`intab: ${error.message}`)
  const bridge = await openBridge({ ...options, onerror }, stop.signal)
  if (bridge.url === undefined) say(`${options.url} is served on stdio`)
  else say(`${options.url} is served at ${bridge.url}`)
  if (options.http?.token !== undefined) say(`Authorization: Bearer ${options.http.token}`)
  try {
    await Promise.race([bridge.ended, stopped])
  } finally {
    setTimeout(() => process.exit(1), lastCall).unref()
    await bridge.close()
  }
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    say(`intab: ${toError(error).message}`)
    process.exit(1)
  }
)
