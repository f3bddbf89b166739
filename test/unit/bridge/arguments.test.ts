import { expect, test } from 'vitest'
import { readArguments } from '../../../src/bridge/arguments.js'

const url = 'http://localhost:4173/'

test('a page alone is served on port 3111', () => {
  expect(readArguments(['bridge', url])).toEqual({ url, port: 3111, headed: false })
})

test('every option arrives', () => {
  const args = ['--port', '0', '--headed', '--browser', '/b', '--profile', '/p', '--worker', '/w.js', '--name', 'mcp']
  expect(readArguments(['bridge', url, ...args])).toEqual({
    url,
    port: 0,
    headed: true,
    browser: '/b',
    profile: '/p',
    worker: { url: '/w.js', name: 'mcp' }
  })
  expect(readArguments(['bridge', url, '--stdio'])?.port).toBeUndefined()
})

test('help is no error', () => {
  expect(readArguments(['--help'])).toBeUndefined()
})

test.each([
  [[], 'No command'],
  [['build'], 'Unknown command build'],
  [['bridge'], 'Give the URL of one page'],
  [['bridge', 'localhost'], 'Give the URL of one page'],
  [['bridge', url, url], 'Give the URL of one page'],
  [['bridge', url, '--port', 'x'], '--port x is no port'],
  [['bridge', url, '--port', '70000'], '--port 70000 is no port'],
  [['bridge', url, '--port', '1', '--stdio'], 'exclude each other'],
  [['bridge', url, '--fast'], '--fast']
])('%j is refused, with the usage', (args, says) => {
  expect(() => readArguments(args)).toThrow(says)
  expect(() => readArguments(args)).toThrow('Usage: intab bridge')
})
