import { describe, expect, test } from 'vitest'
import { filesOf } from '../../../scripts/service-worker.mjs'
import { callOf, codeOf } from '../../../src/demo/call/copy-call.js'
import { age, bytes, duration } from '../../../src/demo/format.js'
import { taskInAddress, linkTo } from '../../../src/demo/router.js'
import { endOfLife } from '../../../src/demo/tasks/words.js'
import type { TaskInfo } from '../../../src/index.js'

const taskOf = (change: Partial<TaskInfo>): TaskInfo => ({
  taskId: 'a',
  status: 'working',
  ttl: 1000,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUpdatedAt: '2026-01-01T00:00:05.000Z',
  attempt: 1,
  ...change
})

describe('numbers are read as', () => {
  test.each([
    [-5, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [7 * 86_400_000 - 500, '7 d']
  ])('%d ms: %s', (ms, text) => expect(duration(ms)).toBe(text))

  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [13_506, '13.5 kB'],
    [10_700_000_000, '10.7 GB']
  ])('%d bytes: %s', (count, text) => expect(bytes(count)).toBe(text))

  test('ages', () => {
    const now = Date.parse('2026-01-01T00:00:10Z')
    expect(age('2026-01-01T00:00:09.500Z', now)).toBe('just now')
    expect(age('2026-01-01T00:00:02Z', now)).toBe('8 s ago')
  })
})

test('a task lives from its start while it runs, and from its end then', () => {
  const [start, end] = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-01-01T00:00:05Z')]
  expect(endOfLife(taskOf({}))).toBe(start + 1000)
  expect(endOfLife(taskOf({ status: 'failed' }))).toBe(end + 1000)
  expect(endOfLife(taskOf({ ttl: null }))).toBeUndefined()
})

test('an address names a task, and nothing else', () => {
  expect(taskInAddress(linkTo('0c43-a'))).toBe('0c43-a')
  for (const hash of ['', '#/', '#/task/', '#/task/a/b', '#/task/<b>']) expect(taskInAddress(hash)).toBeUndefined()
})

test('a call is copied as it goes over the wire, and as code', () => {
  expect(callOf('a', { b: 1 }, true).params).toEqual({ name: 'a', arguments: { b: 1 }, task: {} })
  expect(callOf('a', {}, false).params).not.toHaveProperty('task')
  expect(codeOf('a', {}, true)).toContain('runTask(client, ')
  expect(codeOf('a', {}, false)).toContain('client.callTool(')
})

test('what works offline is what the page names, and what that names, and no other page', () => {
  const files = new Map([
    ['index.html', '<script src="./assets/a-1.js">'],
    ['assets/a-1.js', 'new SharedWorker("b-2.js"); open("other.html")'],
    ['assets/b-2.js', 'import "./c-3.js"'],
    ['assets/c-3.js', ''],
    ['other.html', '<script src="./assets/d-4.js">'],
    ['assets/d-4.js', '']
  ])
  expect(filesOf(files, 'index.html')).toEqual(['index.html', 'assets/a-1.js', 'assets/b-2.js', 'assets/c-3.js'])
})
