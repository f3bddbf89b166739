// What is known of a column, of some rows or of all: parts add up, so that rows can be read in steps.

/** Plain JSON, as a step's value must be. */
export interface ColumnPart {
  filled: number
  missing: number
  numbers: number
  whole: number
  dates: number
  min: number | null
  max: number | null
  sum: number
  /** How often each value occurs, for the first values that came. */
  values: Record<string, number>
}

/** Beyond these a column is text, and nobody wants to read a list. */
const mostValues = 500

const stands = new Set(['', 'na', 'n/a', 'nan', 'null', '.', '-'])
const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const isDate = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/

const nothing = (): ColumnPart => ({
  filled: 0,
  missing: 0,
  numbers: 0,
  whole: 0,
  dates: 0,
  min: null,
  max: null,
  sum: 0,
  values: {}
})

const least = (a: number | null, b: number | null): number | null => (a === null || (b !== null && b < a) ? b : a)
const most = (a: number | null, b: number | null): number | null => (a === null || (b !== null && b > a) ? b : a)

function count(values: Record<string, number>, value: string, times: number): void {
  const known = Object.hasOwn(values, value)
  if (!known && Object.keys(values).length >= mostValues) return
  Object.defineProperty(values, value, {
    value: (known ? (values[value] ?? 0) : 0) + times,
    enumerable: true,
    configurable: true,
    writable: true
  })
}

/** Reads the cells of one column. */
export function readCells(cells: readonly string[]): ColumnPart {
  const part = nothing()
  for (const cell of cells) {
    const value = cell.trim()
    if (stands.has(value.toLowerCase())) {
      part.missing += 1
      continue
    }
    part.filled += 1
    count(part.values, value, 1)
    if (isDate.test(value)) part.dates += 1
    if (!isNumber.test(value)) continue
    const number = Number(value)
    part.numbers += 1
    if (Number.isInteger(number)) part.whole += 1
    part.min = least(part.min, number)
    part.max = most(part.max, number)
    part.sum += number
  }
  return part
}

/** The same column, over all the rows of its parts. */
export function addParts(parts: readonly ColumnPart[]): ColumnPart {
  const all = nothing()
  for (const part of parts) {
    for (const key of ['filled', 'missing', 'numbers', 'whole', 'dates', 'sum'] as const) all[key] += part[key]
    all.min = least(all.min, part.min)
    all.max = most(all.max, part.max)
    for (const [value, times] of Object.entries(part.values)) count(all.values, value, times)
  }
  return all
}

/** Values by how often they occur, the most frequent first. */
export const ranked = ({ values }: ColumnPart): [value: string, times: number][] =>
  Object.entries(values).sort(([a, x], [b, y]) => y - x || a.localeCompare(b))
