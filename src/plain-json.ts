import { IntabError } from './errors.js'
import type { Json, JsonObject } from './types.js'

/**
 * Deeper values are refused on every route. serde_json, which many clients use, reads 128 levels with the message around
 * the value, and a worker's stack holds this many in every browser, whatever walks them.
 */
const maxDepth = 100

type Key = string | number

/** The value with a message around it, which a port may fail to read without a word when it is deeper by far. */
const maxMessageDepth = 128

/** The error for a message that nobody could read; level by level, since it may be deeper than any stack. */
export function depthProblem(message: object): IntabError | undefined {
  let level = new Set<object>([message])
  for (let depth = 1; level.size > 0; depth += 1) {
    if (depth > maxMessageDepth) return tooDeep('The message contains itself, or', maxMessageDepth)
    const next = new Set<object>()
    for (const value of level) {
      for (const item of Object.values(value) as unknown[])
        if (typeof item === 'object' && item !== null) next.add(item)
    }
    level = next
  }
  return undefined
}

const tooDeep = (path: string, limit: number): IntabError =>
  new IntabError('not_json', `${path} is nested more than ${limit} levels deep: flatten it, or send it as a text`, {
    path,
    limit
  })

/**
 * A clean copy of a value that JSON can carry, and its approximate size in bytes as JSON.
 * `undefined` is dropped as JSON does; `toJSON` is not called. Whatever else JSON would lose or change is refused with
 * `not_json`, so is what is nested more than 100 levels deep, and more than `limit` bytes with `too_large`; both errors
 * name the path, which starts at `root`.
 */
export function plainJson(value: unknown, root = '', limit = Infinity): { value: Json; bytes: number } {
  const walk = new Walk(root, limit)
  const copy = walk.copy(value)
  return { value: copy, bytes: walk.bytes }
}

/** True when both say the same; the order of keys says nothing. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => sameJson(item, b[index]))
  }
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}

class Walk {
  bytes = 0
  readonly #root: string
  readonly #limit: number
  readonly #path: Key[] = []
  readonly #parents = new Set<object>()

  constructor(root: string, limit: number) {
    this.#root = root
    this.#limit = limit
  }

  copy(value: unknown): Json {
    switch (typeof value) {
      case 'string':
        this.#measure(utf8Length(value) + 2)
        return value
      case 'boolean':
        this.#measure(value ? 4 : 5)
        return value
      case 'number':
        if (!Number.isFinite(value)) throw this.#refusal(String(value))
        this.#measure(String(value).length)
        return value === 0 ? 0 : value
      case 'object':
        if (value !== null) return this.#container(value)
        this.#measure(4)
        return value
      default:
        throw this.#refusal(typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`)
    }
  }

  #container(value: object): Json {
    if (this.#parents.has(value)) throw this.#refusal('part of a cycle')
    if (this.#path.length >= maxDepth) throw this.#tooDeep()
    if (!Array.isArray(value) && !isPlain(value)) throw this.#refusal(describe(value))
    this.#parents.add(value)
    this.#measure(2)
    const copy = Array.isArray(value) ? this.#array(value) : this.#object(value as Record<string, unknown>)
    this.#parents.delete(value)
    return copy
  }

  #array(value: readonly unknown[]): Json[] {
    // Array.from also visits holes, which JSON writes as null, as it does undefined.
    return Array.from(value, (item, index) => this.#child(index, item === undefined ? null : item))
  }

  #object(value: Record<string, unknown>): JsonObject {
    const entries: [string, Json][] = []
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue
      this.#measure(utf8Length(key) + 3)
      entries.push([key, this.#child(key, item)])
    }
    // Object.fromEntries defines its keys, so that `__proto__` is one like any other.
    return Object.fromEntries(entries)
  }

  #child(key: Key, value: unknown): Json {
    this.#path.push(key)
    this.#measure(1)
    const copy = this.copy(value)
    this.#path.pop()
    return copy
  }

  #measure(bytes: number): void {
    this.bytes += bytes
    if (this.bytes <= this.#limit) return
    const [part] = this.#path
    const what = this.#root || (part === undefined ? 'The value' : String(part))
    throw new IntabError('too_large', `${what} is larger than ${this.#limit} bytes as JSON`, { limit: this.#limit })
  }

  /** The whole path would say no more. */
  #tooDeep(): IntabError {
    return tooDeep(this.#path.slice(0, 3).reduce<string>(append, this.#root), maxDepth)
  }

  #refusal(what: string): IntabError {
    const path = this.#path.reduce<string>(append, this.#root) || 'The value'
    const advice = 'only objects, arrays, strings, finite numbers, booleans and null can be kept'
    return new IntabError('not_json', `${path} is ${what}; ${advice}`, { path })
  }
}

function append(path: string, key: Key): string {
  if (typeof key === 'number') return `${path}[${key}]`
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

/** A prototype that has none itself is some realm's Object.prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function describe(value: object): string {
  const { constructor } = value
  const name = typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'object of a class'
  return /^[AEIOU]/.test(name) ? `an ${name}` : `a ${name}`
}

function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20) bytes += 5
    else if (unit === 0x22 || unit === 0x5c) bytes += 1
    else if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return bytes
}
