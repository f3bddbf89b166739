import { parseArgs } from 'node:util'
import { IntabError, toError } from '../errors.js'
import type { OpenPageOptions } from './open-page.js'

export const usage = `Usage: intab bridge <url> [options]

Opens the page in a browser and serves the MCP server in its SharedWorker to clients outside of it.

  --port PORT     as Streamable HTTP on 127.0.0.1 (default 3111; 0 for any that is free)
  --stdio         on standard input and output instead
  --headed        show the browser
  --browser PATH  a Chromium or Chrome (default: $INTAB_BROWSER, Playwright's, the system's)
  --profile DIR   keep the profile, and with it the tasks (default: it goes with the bridge)
  --worker URL    the worker's script, when the page makes it in a way that cannot be seen
  --name NAME     the worker's name, with --worker`

export interface BridgeArguments extends OpenPageOptions {
  /** Undefined for stdio. */
  port: number | undefined
  worker?: { url: string; name?: string }
}

/** Undefined when help was asked for; throws `invalid_options`. */
export function readArguments(args: string[]): BridgeArguments | undefined {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const [command, url, ...more] = positionals
  if (command !== 'bridge') throw invalid(command === undefined ? 'No command' : `Unknown command ${command}`)
  if (url === undefined || more.length > 0 || !URL.canParse(url)) throw invalid('Give the URL of one page')
  if (values.stdio && values.port !== undefined) throw invalid('--port and --stdio exclude each other')
  const port = Number(values.port ?? 3111)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw invalid(`--port ${values.port} is no port`)
  const { browser, profile, headed = false, worker, name } = values
  return {
    url,
    port: values.stdio ? undefined : port,
    headed,
    ...(browser !== undefined && { browser }),
    ...(profile !== undefined && { profile }),
    ...(worker !== undefined && { worker: { url: worker, ...(name !== undefined && { name }) } })
  }
}

const invalid = (message: string): IntabError => new IntabError('invalid_options', `${message}\n\n${usage}`)

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        stdio: { type: 'boolean' },
        headed: { type: 'boolean' },
        browser: { type: 'string' },
        profile: { type: 'string' },
        worker: { type: 'string' },
        name: { type: 'string' },
        help: { type: 'boolean', short: 'h' }
      }
    })
  } catch (error) {
    throw invalid(toError(error).message)
  }
}
