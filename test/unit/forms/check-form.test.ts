import { expect, test } from 'vitest'
import { checkForm } from '../../../src/forms/check-form.js'
import type { JsonObject } from '../../../src/types.js'

const problemsOf = (property: JsonObject, value: unknown): string[] =>
  checkForm({ type: 'object', properties: { a: property }, required: ['a'] }, { a: value } as JsonObject).map(
    ({ field, message }) => `${field} ${message}`
  )

test.each<[JsonObject, unknown, unknown, string]>([
  [{ type: 'integer' }, 3, 'x', 'a must be of type integer'],
  [{ type: 'string', format: 'email' }, 'a.b@c.test', 'a..b@c.test', 'a must be a valid email'],
  [{ type: 'string', format: 'uri' }, 'https://a.test/x', 'https://a.test/[x]', 'a must be a valid uri'],
  [{ type: 'string', format: 'uri' }, 'https://a.test/%C3%A9', 'https://a.test/é', 'a must be a valid uri'],
  [{ type: 'string', format: 'date' }, '2026-12-02', '12026-12-02', 'a must be a valid date'],
  [{ type: 'string', pattern: '^x+$' }, 'xx', 'y', 'a must match ^x+$'],
  [{ type: 'string', enum: ['s', 'm'] }, 's', 'l', 'a must be one of ["s","m"]'],
  [{ type: 'string', minLength: 2, maxLength: 3 }, 'ab', 'a', 'a must have at least 2 characters'],
  [{ type: 'string', minLength: 2, maxLength: 3 }, 'abc', 'abcd', 'a must have at most 3 characters'],
  [{ type: 'number', minimum: 1, maximum: 2 }, 1.5, 0, 'a must be at least 1'],
  [{ type: 'number', minimum: 1, maximum: 2 }, 2, 3, 'a must be at most 2'],
  [{ type: 'array', items: { enum: ['x', 'y'] }, minItems: 1 }, ['x'], [], 'a needs at least 1 choices'],
  [{ type: 'array', items: { enum: ['x', 'y'] }, maxItems: 1 }, ['y'], ['x', 'y'], 'a takes at most 1 choices']
])('of %o, %o fits and %o does not', (property, fits, misfits, says) => {
  expect(problemsOf(property, fits)).toEqual([])
  expect(problemsOf(property, misfits)).toEqual([says])
})

test('each field has one problem, and one that is missing is required', () => {
  const properties = { a: { type: 'string', minLength: 2, pattern: '^x' }, b: { type: 'string' } }
  expect(checkForm({ type: 'object', properties, required: ['b'] }, { a: 'y' })).toEqual([
    { field: 'b', message: 'is required' },
    { field: 'a', message: 'must have at least 2 characters' }
  ])
})

test('a schema that nobody can read throws', () => {
  expect(() => checkForm({ type: 'object', $ref: '#/nowhere' }, {})).toThrow('nowhere')
})
