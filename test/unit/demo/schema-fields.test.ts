import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/demo/json.js'
import type { Field } from '../../../src/demo/form/schema-fields.js'
import { fieldsOf, parseText, problemOf } from '../../../src/demo/form/schema-fields.js'

function fieldOf(property: JsonObject, required = false): Field {
  const [field] = fieldsOf({ type: 'object', properties: { a: property }, required: required ? ['a'] : [] })
  if (!field) throw new Error('no field')
  return field
}

describe('a field', () => {
  test('stands in the order of the schema, is named by its title, and says whether it is required', () => {
    const fields = fieldsOf({
      type: 'object',
      properties: { b: { type: 'string', title: 'Bee', description: 'Buzz' }, a: { type: 'boolean' } },
      required: ['b']
    })
    expect(fields).toMatchObject([
      { name: 'b', label: 'Bee', description: 'Buzz', required: true },
      { name: 'a', label: 'a', required: false }
    ])
  })

  test.each<[JsonObject, object]>([
    [
      { type: 'string', minLength: 1, maxLength: 9, default: 'x' },
      { kind: 'text', input: 'text', minLength: 1, maxLength: 9, initial: 'x' }
    ],
    [
      { type: 'string', format: 'email' },
      { kind: 'text', input: 'email' }
    ],
    [
      { type: 'string', format: 'uri' },
      { kind: 'text', input: 'url' }
    ],
    [
      { type: 'string', format: 'date' },
      { kind: 'text', input: 'date' }
    ],
    [
      { type: 'string', format: 'date-time' },
      { kind: 'text', input: 'datetime-local' }
    ],
    [
      { type: 'string', format: 'constructor' },
      { kind: 'text', input: 'text' }
    ],
    [
      { type: 'integer', minimum: 1, maximum: 5, default: 0 },
      { kind: 'number', whole: true, min: 1, max: 5, initial: 0 }
    ],
    [{ type: 'number' }, { kind: 'number', whole: false }],
    [
      { type: 'boolean', default: true },
      { kind: 'boolean', initial: true }
    ],
    [{ type: 'boolean' }, { kind: 'boolean', initial: false }],
    [
      { type: 'array', items: { type: 'object' }, default: [] },
      { kind: 'json', initial: '[]' }
    ],
    [{ type: 'object' }, { kind: 'json' }]
  ])('of schema %j is %j', (property, expected) => {
    expect(fieldOf(property)).toMatchObject(expected)
  })

  test.each<[string, JsonObject]>([
    ['enum', { enum: ['r', 'g'] }],
    ['enumNames', { enum: ['r', 'g'], enumNames: ['Red', 'Green'] }],
    [
      'oneOf',
      {
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'g', title: 'Green' }
        ]
      }
    ]
  ])('with choices by %s offers them by name', (way, property) => {
    const names = way === 'enum' ? ['r', 'g'] : ['Red', 'Green']
    expect(fieldOf({ type: 'string', ...property, default: 'g' })).toMatchObject({
      kind: 'choice',
      choices: [
        { value: 'r', label: names[0] },
        { value: 'g', label: names[1] }
      ],
      initial: 'g'
    })
  })

  test('of an array of choices takes several, between its limits', () => {
    const items = { anyOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] }
    expect(fieldOf({ type: 'array', items, minItems: 1, default: ['g'] })).toMatchObject({
      kind: 'choices',
      choices: [
        { value: 'r', label: 'Red' },
        { value: 'g', label: 'g' }
      ],
      min: 1,
      max: 2,
      initial: ['g']
    })
  })
})

describe('what a person typed', () => {
  test.each<[JsonObject, string, unknown]>([
    [{ type: 'string' }, 'word', 'word'],
    [{ type: 'string' }, '', undefined],
    [{ type: 'integer' }, '42', 42],
    [{ type: 'number' }, '-0.5', -0.5],
    [{ type: 'object' }, '{"b":[1]}', { b: [1] }],
    [{ type: 'string', format: 'date' }, '2026-02-03', '2026-02-03']
  ])('for schema %j, %j, is sent as %j', (property, typed, value) => {
    expect(parseText(fieldOf(property), typed)).toEqual(value)
  })

  test('for a date-time is sent as a moment, with its zone', () => {
    const value = parseText(fieldOf({ type: 'string', format: 'date-time' }), '2026-02-03T04:05')
    expect(value).toBe(new Date(2026, 1, 3, 4, 5).toISOString())
  })

  test('is checked where the browser does not', () => {
    expect(problemOf(fieldOf({ type: 'object' }), '{')).toContain('not JSON')
    expect(problemOf(fieldOf({ type: 'object' }), '{}')).toBeUndefined()
    expect(problemOf(fieldOf({ type: 'string', pattern: '^a+$' }), 'b')).toContain('^a+$')
    expect(problemOf(fieldOf({ type: 'string', pattern: '^a+$' }), 'aa')).toBeUndefined()
  })

  test('is not refused for a pattern that this browser cannot read, nor for being empty', () => {
    expect(problemOf(fieldOf({ type: 'string', pattern: '(' }), 'b')).toBeUndefined()
    expect(problemOf(fieldOf({ type: 'string', pattern: 'a' }), '')).toBeUndefined()
  })
})
