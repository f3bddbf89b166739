import { describe, expect, test } from 'vitest'
import { addParts, ranked, readCells } from '../../../src/demo/csv/column.js'
import { possibleTypes } from '../../../src/demo/csv/column-type.js'
import { describeProfile, profileColumn } from '../../../src/demo/csv/profile.js'

const typesOf = (cells: string[]): string[] => possibleTypes(readCells(cells))
const times = (count: number, ...cells: string[]): string[] => Array.from({ length: count }, () => cells).flat()

describe('a column', () => {
  test('read in parts is the column read at once', () => {
    const cells = ['3', 'NA', '-4.5', '', 'x', '2012-01-02', '3', '1e3']
    expect(addParts([readCells(cells.slice(0, 3)), readCells(cells.slice(3))])).toEqual(readCells(cells))
  })

  test('knows what is missing, and takes names of objects for what they are: values', () => {
    const column = readCells(['NA', ' ', '.', 'null', '__proto__', 'constructor', '__proto__'])
    expect(column).toMatchObject({ filled: 3, missing: 4 })
    expect(ranked(column)).toEqual([
      ['__proto__', 2],
      ['constructor', 1]
    ])
  })

  test.each<[string, string[], string[]]>([
    ['numbers', ['1.5', '2', '-3e2'], ['number']],
    ['dates', ['2012-01-01', '2012-01-02'], ['date']],
    ['few words', times(5, 'a', 'b'), ['category']],
    ['many words', Array.from({ length: 40 }, (_, i) => `word ${i}`), ['text']],
    ['nothing', ['', 'NA'], ['empty']],
    ['whole numbers that repeat', times(5, '4', '6', '8'), ['number', 'category']],
    ['years', ['1999', '2000', '2001'], ['date', 'number']],
    ['numbers with a word among them', [...times(9, '1.5'), 'about 2'], ['number', 'text']]
  ])('of %s may be what it looks like', (_, cells, types) => {
    expect(typesOf(cells)).toEqual(types)
  })
})

test('a profile is read in one line for each column', () => {
  const columns = [
    profileColumn('size', readCells(['1', '2', 'NA']), 'number'),
    profileColumn('kind', readCells(['a', 'a', 'b']), 'category')
  ]
  expect(describeProfile({ rows: 3, columns })).toBe(
    ['3 rows, 2 columns', '', 'size  number    1 to 2; mean 1.5; 1 missing', 'kind  category  a 2, b 1'].join('\n')
  )
})
