// The profile of a table, as data and as text to read.

import * as z from 'zod'
import { type ColumnPart, ranked } from './column.js'
import type { ColumnType } from './column-type.js'

export const profileSchema = z.object({
  rows: z.number(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['number', 'category', 'date', 'text', 'empty']),
      missing: z.number(),
      distinct: z.number(),
      min: z.union([z.number(), z.string()]).optional(),
      max: z.union([z.number(), z.string()]).optional(),
      mean: z.number().optional(),
      top: z.array(z.object({ value: z.string(), count: z.number() })).optional()
    })
  )
})

export type Profile = z.output<typeof profileSchema>
export type ColumnProfile = Profile['columns'][number]

const rounded = (value: number): number => Number(value.toPrecision(4))

/** What is worth saying of a column of that type. */
export function profileColumn(name: string, part: ColumnPart, type: ColumnType): ColumnProfile {
  const { missing, min, max, sum, numbers } = part
  const values = ranked(part)
  const known = { name, type, missing, distinct: values.length }
  if (type === 'number' && min !== null && max !== null) return { ...known, min, max, mean: rounded(sum / numbers) }
  if (type === 'category') return { ...known, top: values.slice(0, 5).map(([value, count]) => ({ value, count })) }
  const ordered = values.map(([value]) => value).sort()
  const [first, last] = [ordered[0], ordered.at(-1)]
  return type === 'date' && first !== undefined && last !== undefined ? { ...known, min: first, max: last } : known
}

function sentence({ type, min, max, mean, top, distinct, missing }: ColumnProfile): string {
  const range = min === undefined ? [] : [`${min} to ${max}`]
  const average = mean === undefined ? [] : [`mean ${mean}`]
  const counts = top === undefined ? [] : [top.map(({ value, count }) => `${value} ${count}`).join(', ')]
  const more = top !== undefined && distinct > top.length ? [`${distinct} values in all`] : []
  const different = type === 'text' ? [`${distinct} different`] : []
  const gaps = missing > 0 ? [`${missing} missing`] : []
  return [...range, ...average, ...counts, ...more, ...different, ...gaps].join('; ')
}

/** A line for each column, names and types aligned. */
export function describeProfile({ rows, columns }: Profile): string {
  const width = Math.max(0, ...columns.map(({ name }) => name.length))
  const lines = columns.map((column) => `${column.name.padEnd(width)}  ${column.type.padEnd(8)}  ${sentence(column)}`)
  return [`${rows} rows, ${columns.length} columns`, '', ...lines].join('\n')
}
