import { taskTool, type TaskContext } from 'intab/worker'
import Papa from 'papaparse'
import * as z from 'zod'
import { addParts, type ColumnPart, ranked, readCells } from '../csv/column.js'
import { type ColumnType, possibleTypes, readings } from '../csv/column-type.js'
import { asImage, drawProfile } from '../csv/picture.js'
import { describeProfile, profileColumn, profileSchema } from '../csv/profile.js'

/** The work is cut into this many steps. */
const parts = 10

interface Table {
  names: string[]
  rows: Record<string, string>[]
}

/** Shows work in steps: each is stored, so that another worker goes on where this one stopped. `sample` is profiled when no text is given. */
export const profileCsv = (sample: () => Promise<string>) =>
  taskTool(
    'profile_csv',
    {
      title: 'Profile a table',
      description:
        'Says and draws what is in each column of a CSV, in ten steps, and asks where that is not clear. Kill the worker at 60 %: ' +
        'it goes on at 60 %.',
      inputSchema: {
        csv: z.string().optional().meta({
          title: 'CSV',
          description:
            'Empty: 344 penguins, measured by Kristen Gorman and the Palmer Station LTER (palmerpenguins, CC0).',
          contentMediaType: 'text/csv'
        }),
        pause: z
          .number()
          .int()
          .min(0)
          .max(10_000)
          .default(400)
          .meta({ title: 'Pause', description: 'Milliseconds between two steps, so that one can watch.' })
      },
      outputSchema: profileSchema,
      taskSupport: 'optional',
      onInterrupt: 'resume',
      maxAttempts: 20
    },
    async ({ csv, pause }, task) => {
      const table = parse(csv || (await task.step('sample', sample)))
      const columns = await readInSteps(table, task, pause)
      const types = await settleTypes(table.names, columns, task)
      const described = table.names.map((name, i) => {
        const part = columns[i] ?? readCells([])
        return { part, profile: profileColumn(name, part, types[i] ?? 'text') }
      })
      const profile = { rows: table.rows.length, columns: described.map((column) => column.profile) }
      const picture = drawProfile(described)
      return {
        content: [
          { type: 'text', text: describeProfile(profile) },
          ...(picture === undefined ? [] : [asImage(picture)])
        ],
        structuredContent: profile
      }
    }
  )

function parse(text: string): Table {
  const { data, meta } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: 'greedy' })
  const names = meta.fields ?? []
  if (names.length === 0 || data.length === 0) throw new Error('This is no CSV with a header and at least one row')
  return { names, rows: data }
}

async function readInSteps({ names, rows }: Table, task: TaskContext, pause: number): Promise<ColumnPart[]> {
  const size = Math.ceil(rows.length / parts)
  const read: ColumnPart[][] = []
  for (let from = 0; from < rows.length; from += size) {
    const to = Math.min(from + size, rows.length)
    let isNew = false
    const part = await task.step(`rows ${from + 1} to ${to}`, () => {
      isNew = true
      return names.map((name) => readCells(rows.slice(from, to).map((row) => row[name] ?? '')))
    })
    read.push(part)
    // What another run has done is not told again: it would look like a step back.
    if (!isNew) continue
    task.progress({
      progress: to,
      total: rows.length,
      message: `Read ${to} of ${rows.length} rows in run ${task.attempt}`
    })
    await task.sleep(pause)
  }
  return names.map((_, i) => addParts(read.flatMap((columns) => columns[i] ?? [])))
}

/** Asks about all columns that may be two things, in one form; takes the likeliest reading when nobody says. */
async function settleTypes(
  names: readonly string[],
  columns: readonly ColumnPart[],
  task: TaskContext
): Promise<ColumnType[]> {
  const possible = columns.map(possibleTypes)
  const unclear = possible.flatMap((types, i) => (types.length > 1 ? [{ i, types }] : [])).slice(0, 8)
  if (unclear.length === 0) return possible.map(([type]) => type)
  const questions = unclear.map(({ i, types }) => {
    const some = ranked(columns[i] ?? readCells([])).slice(0, 4)
    const schema = {
      type: 'string' as const,
      title: names[i] ?? '',
      description: `For example ${some.map(([value]) => value).join(', ')}`,
      oneOf: types.map((type) => ({ const: type, title: readings[type] })),
      default: types[0]
    }
    return [`column${i}`, schema] as const
  })
  const { action, content } = await task.elicit({
    message: unclear.length === 1 ? 'What is this column?' : 'What are these columns?',
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(questions),
      required: questions.map(([name]) => name)
    }
  })
  return possible.map((types, i) => {
    const said = action === 'accept' ? content?.[`column${i}`] : undefined
    return types.find((type) => type === said) ?? types[0]
  })
}
