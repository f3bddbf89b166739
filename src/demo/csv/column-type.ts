// What a column may be, by its values alone. Where two readings are plausible, somebody has to say.

import { type ColumnPart, ranked } from './column.js'

export type ColumnType = 'number' | 'category' | 'date' | 'text' | 'empty'

/** What a person chooses from. */
export const readings: Record<ColumnType, string> = {
  number: 'a number, to add up and average',
  category: 'a category, to count',
  date: 'a date',
  text: 'text',
  empty: 'empty'
}

const isYear = ({ min, max }: ColumnPart): boolean => min !== null && max !== null && min >= 1700 && max <= 2100

/** The plausible types, the likeliest first. */
export function possibleTypes(column: ColumnPart): [ColumnType, ...ColumnType[]] {
  const { filled, numbers, whole, dates } = column
  const distinct = ranked(column).length
  const repeats = distinct * 5 <= filled
  if (filled === 0) return ['empty']
  if (dates === filled) return ['date']
  if (numbers === filled) {
    if (whole < filled) return ['number']
    if (isYear(column)) return ['date', 'number']
    return repeats ? ['number', 'category'] : ['number']
  }
  if (numbers >= filled * 0.8) return ['number', 'text']
  return repeats || distinct <= 12 ? ['category'] : ['text']
}
