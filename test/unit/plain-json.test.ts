import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { plainJson, sameJson } from '../../src/plain-json.js'
import type { Json } from '../../src/types.js'

class Crate {
  weight = 1
}

const cycle: { self?: unknown } = {}
cycle.self = { around: [cycle] }

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

describe('plain JSON', () => {
  it('is copied as JSON would carry it: undefined dropped, holes and undefined items null, -0 as 0', () => {
    const holes = [1, undefined]
    holes[3] = 4
    const value = { a: undefined, b: null, c: [true, 'x', -0, 1.5], holes, toJSON: undefined, d: {} }
    const copy = plainJson(value).value
    expect(copy).toStrictEqual({ b: null, c: [true, 'x', 0, 1.5], holes: [1, null, null, 4], d: {} })
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
  })

  it('is a copy: later changes of the original do not show, and a part used twice is no cycle', () => {
    const part = { n: 1 }
    const copy = plainJson([part, { part }]).value
    part.n = 2
    expect(copy).toStrictEqual([{ n: 1 }, { part: { n: 1 } }])
  })

  it.each([
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['a Set', new Set()],
    ['a Crate', new Crate()],
    ['an Uint8Array', new Uint8Array(1)],
    ['an Error', new Error('x')],
    ['a Promise', Promise.resolve()],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a bigint', 1n],
    ['NaN', NaN],
    ['Infinity', Infinity],
    ['-Infinity', -Infinity],
    ['part of a cycle', cycle]
  ])('F24 %s is refused, with its path', (what, when) => {
    const path = what === 'part of a cycle' ? 'result.content[0].when.self.around[0]' : 'result.content[0].when'
    const refused = () => plainJson({ result: { content: [{ when }] } })
    expect(refused).toThrow(expect.objectContaining({ code: 'not_json', data: { path } }))
    expect(refused).toThrow(`${path} is ${what}; `)
  })

  it('a path starts at its root and quotes odd keys; a value without one is named as such', () => {
    expect(() => plainJson({ 'a b': [{ "it's": 1n }] }, 'params')).toThrow('params["a b"][0]["it\'s"] is a bigint')
    expect(() => plainJson(undefined)).toThrow('The value is undefined')
    expect(() => plainJson({ größe: 1n })).toThrow('größe is a bigint')
  })

  it('nesting that would overflow the stack is refused', () => {
    expect(plainJson(deep(98)).bytes).toBeGreaterThan(196)
    expect(() => plainJson(deep(102))).toThrow(expect.objectContaining({ code: 'not_json' }))
    expect(() => plainJson(deep(200_000))).toThrow('nested more than 100 levels')
  })

  it('objects of another realm or without a prototype are plain', () => {
    const foreign = runInNewContext('({ a: [1, { b: 2 }] })') as unknown
    const bare = Object.assign(Object.create(null), { a: [1, { b: 2 }] }) as unknown
    expect(plainJson(foreign).value).toStrictEqual({ a: [1, { b: 2 }] })
    expect(plainJson(bare).value).toStrictEqual({ a: [1, { b: 2 }] })
  })

  it('a key named __proto__ is a key like any other', () => {
    const value = JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}') as { admin?: unknown }
    const copy = plainJson(value).value as typeof value
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true},"constructor":1}')
    expect(copy.admin).toBeUndefined()
    expect(structuredClone(copy)).toEqual(copy)
  })

  it('lone surrogates survive', () => {
    expect(plainJson({ '\ud800': 'a\udfff' }).value).toStrictEqual({ '\ud800': 'a\udfff' })
  })

  it.each([
    '',
    'plain',
    'a "quote" \\ and\n',
    'größe',
    '価格',
    '😀😀',
    [1, -20.5, 1e21],
    { a: [{}, [], null, true, false], b: 'x' }
  ])('the size of %j is about that of its JSON', (value) => {
    const exact = new TextEncoder().encode(JSON.stringify(value)).length
    const { bytes } = plainJson(value)
    expect(bytes).toBeGreaterThanOrEqual(exact)
    expect(bytes).toBeLessThanOrEqual(exact * 1.3 + 10)
  })

  it('what is larger than the limit is refused, by the name of its largest part', () => {
    const value = { result: { text: 'x'.repeat(100) } }
    expect(plainJson(value, '', 200).bytes).toBeLessThan(200)
    expect(() => plainJson(value, '', 100)).toThrow(
      expect.objectContaining({ code: 'too_large', data: { limit: 100 } })
    )
    expect(() => plainJson(value, '', 100)).toThrow('result is larger than 100 bytes')
    expect(() => plainJson(value, 'params', 100)).toThrow('params is larger')
    expect(() => plainJson('x'.repeat(101), '', 100)).toThrow('The value is larger')
  })
})

describe('two values', () => {
  it.each<[Json | undefined, Json | undefined, boolean]>([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [undefined, undefined, true],
    ['a', 'a', true],
    [null, {}, false],
    [[], {}, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [1, '1', false],
    [undefined, null, false],
    [JSON.parse('{"__proto__":1}') as Json, { a: 1 }, false]
  ])('%j and %j say the same: %s', (a, b, same) => {
    expect(sameJson(a, b)).toBe(same)
    expect(sameJson(b, a)).toBe(same)
  })
})
