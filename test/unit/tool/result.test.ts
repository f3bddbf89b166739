import { expect, test } from 'vitest'
import * as z from 'zod'
import { taskTool } from 'intab/tool'

const tool = (outputSchema: z.ZodObject | z.ZodRawShape, structuredContent: Record<string, unknown>, more = {}) =>
  taskTool('work', { inputSchema: {}, outputSchema, taskSupport: 'optional' }, () => ({
    content: [],
    structuredContent,
    ...more
  })).run({}, {} as never)

test('G10 a result is what its outputSchema makes of it: defaults, coercions, no key that is not listed', async () => {
  const schema = z.object({
    count: z.coerce.number(),
    unit: z.string().default('kg'),
    name: z.string().trim(),
    items: z.array(z.object({ id: z.string() }))
  })
  const made = await tool(schema, { count: '3', name: ' Ann ', items: [{ id: 'a', secret: 1 }], internal: true })
  expect(made).toEqual({
    content: [],
    structuredContent: { count: 3, unit: 'kg', name: 'Ann', items: [{ id: 'a' }] }
  })
})

test('a result without content gets the empty one that the protocol wants', async () => {
  expect(await tool({ n: z.number() }, { n: 1 }, { content: undefined })).toEqual({
    content: [],
    structuredContent: { n: 1 }
  })
})

test.each<[what: string, schema: z.ZodRawShape, value: Record<string, unknown>]>([
  ['a length before trimming', { name: z.string().min(3).trim() }, { name: ' a ' }],
  ['a flag of a pattern', { name: z.string().regex(/^a$/i) }, { name: 'A' }]
])('%s, which JSON Schema cannot say, fails the call and not the client', async (_, schema, value) => {
  await expect(tool(schema, value)).rejects.toThrow(
    'The result of tool work does not fit the JSON Schema that clients see, after its outputSchema transformed it: name: '
  )
})

test('an error result is not checked, and what is not JSON is refused with its path', async () => {
  const failed = { isError: true, structuredContent: undefined }
  expect(await tool({ n: z.number() }, {}, failed)).toMatchObject({ isError: true })
  await expect(tool({ n: z.number() }, { n: 1 }, { _meta: { at: new Date(0) } })).rejects.toMatchObject({
    code: 'not_json',
    data: { path: '_meta.at' }
  })
})
