#!/usr/bin/env node
// The `intab` command. Standard output is the protocol's when it serves stdio, so all words go to standard error.

import { toError } from '../errors.js'
import { readArguments, usage } from './arguments.js'
import { openBridge } from './bridge.js'

const say = (text: string): boolean => process.stderr.write(`${text}\n`)

async function run(): Promise<void> {
  const options = readArguments(process.argv.slice(2))
  if (options === undefined) {
    say(usage)
    return
  }
  const bridge = await openBridge(options, (error) => say(`intab: ${error.message}`))
  say(bridge.url === undefined ? `${options.url} is served on stdio` : `${options.url} is served at ${bridge.url}`)
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  try {
    await Promise.race([bridge.ended, signalled])
  } finally {
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
