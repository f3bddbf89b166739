import { describe, expect, test } from 'vitest'
import { z as z3 } from 'zod/v3'
import * as z from 'zod'
import * as mini from 'zod/mini'
import { taskTool } from 'intab/tool'
import { text } from '../../support/tools.js'

/** Defines a tool with anything in place of what TypeScript wants. */
const define = (config: object, name: unknown = 'work', handler: unknown = () => text('done')) =>
  taskTool(name as string, { inputSchema: {}, taskSupport: 'optional', ...config } as never, handler as never)

describe('a tool that no client could list or call is refused when it is defined', () => {
  test.each<[unrepresentable: string, schema: z.ZodType, place: string]>([
    ['Date', z.object({ range: z.object({ from: z.date() }) }), 'range.from'],
    ['BigInt', z.object({ ids: z.array(z.bigint()) }), 'ids[]'],
    ['Map', z.object({ byName: z.map(z.string(), z.string()) }), 'byName'],
    ['Set', z.object({ names: z.set(z.string()) }), 'names'],
    ['Custom types', z.object({ files: z.record(z.string(), z.custom<File>()) }), 'files[*]'],
    ['Symbols', z.object({ what: z.union([z.string(), z.symbol()]) }), 'what']
  ])('G8 %s in a schema', (what, schema, place) => {
    for (const option of ['inputSchema', 'outputSchema']) {
      const refused = expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(what) })
      expect(() => define({ [option]: schema })).toThrow(refused)
      expect(() => define({ [option]: schema })).toThrow(`Tool work: ${option}: ${place} cannot be told as JSON Schema`)
    }
  })

  test('a transform is fine for arguments, of which clients see what goes in, but not for a result', () => {
    const schema = { when: z.string().transform((at) => new Date(at)) }
    expect(define({ inputSchema: schema }).listed.inputSchema.properties).toEqual({ when: { type: 'string' } })
    expect(() => define({ outputSchema: schema })).toThrow('outputSchema: when cannot be told as JSON Schema')
  })

  test.each<[what: string, config: object, says: string]>([
    [
      'a JSON Schema',
      { inputSchema: { type: 'object', properties: {} } },
      'looks like a JSON Schema: write it with zod 4'
    ],
    [
      'a schema of zod 3',
      { inputSchema: z3.object({ n: z3.number() }) },
      'inputSchema is a schema of zod 3: write it with zod 4'
    ],
    ['a shape of zod 3', { inputSchema: { n: z3.number() } }, 'inputSchema.n is a schema of zod 3'],
    ['another value in a shape', { inputSchema: { n: 'number' } }, "inputSchema.n is 'number', not a schema"],
    ['no schema', { inputSchema: undefined }, 'inputSchema is undefined: write it with zod 4'],
    ['no object', { inputSchema: z.string() }, 'must be a z.object() or a shape of schemas (got a zod string)'],
    ['a wrong outputSchema', { outputSchema: { type: 'object' } }, 'Tool work: outputSchema looks like a JSON Schema'],
    ['a default that is not JSON', { inputSchema: { a: z.any().default(1n) } }, 'inputSchema'],
    [
      'a pattern that no validator reads',
      { outputSchema: { a: z.string().regex(/[\w-\d]/) } },
      'the pattern [\\w-\\d] at properties.a.pattern is invalid with the flag u'
    ],
    [
      'an option misspelt',
      { taskSuport: 'required' },
      "Tool work has no option 'taskSuport': did you mean 'taskSupport'?"
    ],
    ['an option of elsewhere', { maximumWidth: 3 }, "Tool work has no option 'maximumWidth'"],
    ['no mode', { taskSupport: undefined }, "taskSupport must be 'required' or 'optional' (got undefined)"],
    ['a mode of plain tools', { taskSupport: 'forbidden' }, "(got 'forbidden'); register a tool without task support"],
    ['no number of runs', { maxAttempts: 1.5 }, 'maxAttempts must be a whole number of at least 1 (got 1.5)'],
    ['another interruption', { onInterrupt: 'restart' }, "onInterrupt must be 'fail' or 'resume' (got 'restart')"],
    ['no time to run', { maxRun: 0 }, 'maxRun must be a positive number of milliseconds (got 0)'],
    ['a maxRun that is none', { maxRun: null }, 'maxRun must be a positive number of milliseconds (got null)'],
    [
      'a ttl that is none',
      { ttl: NaN },
      'ttl and pollInterval must be non-negative numbers of milliseconds; ttl may be null (got NaN and 0)'
    ],
    ['a title that is no text', { title: 7 }, 'title must be a string (got 7)']
  ])('%s', (_, config, says) => {
    expect(() => define(config)).toThrow(expect.objectContaining({ code: 'invalid_options' }))
    expect(() => define(config)).toThrow(says)
    expect(() => define(config)).toThrow('Tool work')
  })

  test.each<[name: unknown, shown: string]>([
    ['', "''"],
    ['two words', "'two words'"],
    ['größe', "'größe'"],
    ['x'.repeat(129), `'${'x'.repeat(60)}…'`],
    [7, '7']
  ])('the name %j', (name, shown) => {
    expect(() => define({}, name)).toThrow(`(got ${shown})`)
  })

  test('a handler that is none, options that are none', () => {
    expect(() => define({}, 'work', null)).toThrow('Tool work: its handler must be a function (got null)')
    expect(() => taskTool('work', undefined as never, () => text(''))).toThrow(
      'Tool work: its options must be an object (got undefined)'
    )
  })
})

test('schemas of zod mini and of another copy of zod 4 are taken, as an object or a shape', async () => {
  for (const inputSchema of [mini.object({ n: mini.number() }), { n: mini.number() }]) {
    const tool = taskTool('add', { inputSchema: inputSchema as never, taskSupport: 'optional' }, (args) =>
      text(JSON.stringify(args))
    )
    expect(tool.listed.inputSchema).toMatchObject({ type: 'object', required: ['n'] })
    await expect(tool.check({ n: 'one' })).rejects.toMatchObject({ code: -32602 })
    expect(await tool.run({ n: 1 }, {} as never)).toEqual(text('{"n":1}'))
  }
})
