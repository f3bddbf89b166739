import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { IntabError, toError } from '../errors.js'
import { defaultMaxMessage } from '../http/frame.js'
import { isLoopback } from './guard.js'
import type { OpenPageOptions } from './open-page.js'

export const usage = `Usage: intab bridge <url> [options]

Opens the page in a browser, and serves the MCP server in its SharedWorker to clients outside the browser.

  --port PORT            the port for Streamable HTTP (default 3111; 0 picks a free one)
  --host HOST            the address to listen on (default 127.0.0.1)
  --token TOKEN          clients must send "Authorization: Bearer TOKEN" (default: $INTAB_TOKEN;
                         without it, none on a loopback address and a random one on any other)
  --allow-origin ORIGIN  also accept web pages of this origin; can be repeated
  --stdio                use standard input and output instead of HTTP
  --max-message BYTES    the largest message of a client (default ${defaultMaxMessage})
  --headed               show the browser
  --browser PATH         a Chromium or Chrome (default: $INTAB_BROWSER, Playwright's, the system's)
  --profile DIR          keep the profile and its tasks (default: a temporary profile)
  --worker URL           the script of the worker, when the page has several
  --name NAME            the worker's name, with --worker
  --help, --version`

export interface HttpArguments {
  port: number
  host: string
  /** Undefined for none. */
  token: string | undefined
  origins: string[]
}

export interface BridgeArguments extends OpenPageOptions {
  /** Undefined for stdio. */
  http: HttpArguments | undefined
  /** Bytes. */
  maxMessage: number
  worker?: { url: string; name?: string }
}

/** Returns the options, or the text that `--help` and `--version` print; throws `invalid_options`. */
export function readArguments(
  args: string[],
  environment: Record<string, string | undefined> = {}
): BridgeArguments | { say: string } {
  const { values, positionals } = parse(args)
  if (values.help) return { say: usage }
  if (values.version) return { say: version() }
  const [command, url, ...more] = positionals
  if (command !== 'bridge') throw invalid(command === undefined ? 'A command is missing' : `Unknown command ${command}`)
  if (url === undefined || more.length > 0 || !URL.canParse(url)) {
    const got = positionals.slice(1).join(' ') || 'nothing'
    throw invalid(`Give the URL of exactly one page, such as http://localhost:4173 (got ${got})`)
  }
  const { stdio, browser, profile, headed = false, worker, name } = values
  const foreign = stdio && (['port', 'host', 'token', 'allow-origin'] as const).find((key) => values[key] !== undefined)
  if (foreign) throw invalid(`--${foreign} cannot be combined with --stdio`)
  if (name !== undefined && worker === undefined) throw invalid(`--name needs --worker (got --name ${name})`)
  return {
    url,
    http: stdio ? undefined : readHttp(values, environment['INTAB_TOKEN']),
    maxMessage: integer('max-message', values['max-message'], defaultMaxMessage, 1, 2 ** 30),
    headed,
    ...(browser !== undefined && { browser }),
    ...(profile !== undefined && { profile }),
    ...(worker !== undefined && { worker: { url: worker, ...(name !== undefined && { name }) } })
  }
}

function readHttp(values: ReturnType<typeof parse>['values'], fromEnvironment: string | undefined): HttpArguments {
  const { host = '127.0.0.1', token = fromEnvironment, 'allow-origin': origins = [] } = values
  if (token !== undefined && !/^[\w.~+/-]+=*$/.test(token)) {
    throw invalid('The token may contain only letters, digits and -._~+/, and must not be empty')
  }
  const odd = origins.find((origin) => origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin))
  if (odd !== undefined) throw invalid(`--allow-origin ${odd} is not an origin, such as https://app.example`)
  // Other machines can reach this address, and a client can do what the page can.
  const random = isLoopback(host) ? undefined : crypto.randomUUID()
  const port = integer('port', values.port, 3111, 0, 65_535)
  return { port, host, token: token ?? random, origins }
}

function integer(name: string, given: string | undefined, byDefault: number, least: number, most: number): number {
  const value = given === undefined ? byDefault : /^\d+$/.test(given) ? Number(given) : NaN
  if (value >= least && value <= most) return value
  throw invalid(`--${name} must be a whole number from ${least} to ${most} (got ${given})`)
}

const invalid = (message: string): IntabError => new IntabError('invalid_options', `${message}\n\n${usage}`)

/** The package's; its folder is the parent of `src` and of `dist`. */
function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(file) as { version: string }).version
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        token: { type: 'string' },
        'allow-origin': { type: 'string', multiple: true },
        stdio: { type: 'boolean' },
        'max-message': { type: 'string' },
        headed: { type: 'boolean' },
        browser: { type: 'string' },
        profile: { type: 'string' },
        worker: { type: 'string' },
        name: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' }
      }
    })
  } catch (error) {
    throw invalid(toError(error).message)
  }
}
