import { expect, test } from 'vitest'
import { readArguments } from '../../../src/bridge/arguments.js'

const url = 'http://localhost:4173/'

const local = { port: 3111, host: '127.0.0.1', token: undefined, origins: [] }
const maxMessage = 8 * 1024 * 1024

const httpOf = (...args: string[]) => {
  const read = readArguments(['bridge', url, ...args])
  return 'say' in read ? undefined : read.http
}

test('a page alone is served on port 3111 of this machine, to whoever comes', () => {
  expect(readArguments(['bridge', url])).toEqual({ url, http: local, maxMessage, headed: false })
})

test('every option arrives', () => {
  const args = ['--port', '0', '--headed', '--browser', '/b', '--profile', '/p', '--worker', '/w.js', '--name', 'mcp']
  const more = ['--host', '::1', '--token', 'a.b', '--allow-origin', 'https://a.example', '--max-message', '1024']
  expect(readArguments(['bridge', url, ...args, ...more])).toEqual({
    url,
    http: { port: 0, host: '::1', token: 'a.b', origins: ['https://a.example'] },
    maxMessage: 1024,
    headed: true,
    browser: '/b',
    profile: '/p',
    worker: { url: '/w.js', name: 'mcp' }
  })
  expect(readArguments(['bridge', url, '--stdio'])).toMatchObject({ http: undefined })
})

test('help and the version are no errors', () => {
  expect(readArguments(['--help'])).toEqual({ say: expect.stringContaining('Usage: intab bridge') })
  expect(readArguments(['--version'])).toEqual({ say: expect.stringMatching(/^\d+\.\d+\.\d+/) })
})

test('the token is asked for by default wherever other machines can connect', () => {
  expect(httpOf('--host', '0.0.0.0')?.token).toMatch(/^[\w-]{36}$/)
  expect(httpOf('--host', '0.0.0.0')?.token).not.toBe(httpOf('--host', '0.0.0.0')?.token)
  expect(httpOf('--host', '127.0.0.2')?.token).toBeUndefined()
  expect(httpOf('--host', '0.0.0.0', '--token', 'mine')?.token).toBe('mine')
  expect(readArguments(['bridge', url], { INTAB_TOKEN: 'env' })).toMatchObject({ http: { token: 'env' } })
})

test.each([
  [[], 'A command is missing'],
  [['build'], 'Unknown command build'],
  [['bridge'], 'Give the URL of exactly one page, such as http://localhost:4173 (got nothing)'],
  [['bridge', 'localhost'], 'Give the URL of exactly one page'],
  [['bridge', url, url], 'Give the URL of exactly one page'],
  [['bridge', url, '--port', 'x'], '--port must be a whole number from 0 to 65535 (got x)'],
  [['bridge', url, '--port', ''], '(got )'],
  [['bridge', url, '--port', '70000'], '(got 70000)'],
  [['bridge', url, '--max-message', '0'], '--max-message must be a whole number from 1'],
  [['bridge', url, '--token', 'a b'], 'The token may contain'],
  [['bridge', url, '--token', ''], 'The token may contain'],
  [['bridge', url, '--allow-origin', 'a.example'], '--allow-origin a.example is not an origin'],
  [['bridge', url, '--allow-origin', 'https://a.example/'], 'is not an origin'],
  [['bridge', url, '--name', 'mcp'], '--name needs --worker (got --name mcp)'],
  [['bridge', url, '--token', 'a', '--stdio'], '--token cannot be combined with --stdio'],
  [['bridge', url, '--port', '1', '--stdio'], 'cannot be combined with --stdio'],
  [['bridge', url, '--fast'], '--fast']
])('%j is refused, with the usage', (args, says) => {
  expect(() => readArguments(args)).toThrow(says)
  expect(() => readArguments(args)).toThrow('Usage: intab bridge')
})
