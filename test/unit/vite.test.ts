import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as protocol from '@modelcontextprotocol/sdk/types.js'
import type * as z from 'zod/v4'
import { build, parseAst, type Plugin, type UserConfig } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { leaveOut } from '../../src/vite/leave-out.js'

const inSdk = '/app/node_modules/@modelcontextprotocol/sdk/dist/esm/server/zod-compat.js'

test('what only the SDK takes from zod 3 is left out, and an app that has zod 3 keeps it', () => {
  const plugin = leaveOut()
  const id = plugin.resolveId('zod/v3', inSdk)
  expect(plugin.load(id ?? '')).toContain('write schemas with zod 4')
  expect(plugin.resolveId('zod/v3', '/app/src/main.ts')).toBeUndefined()
  expect(plugin.resolveId('zod/v4', inSdk)).toBeUndefined()
})

test('the validator that generates code gives its place to the one that does not', () => {
  const code = leaveOut().load('/app/node_modules/@modelcontextprotocol/sdk/dist/esm/validation/ajv-provider.js')
  expect(code).toContain('CfWorkerJsonSchemaValidator as AjvJsonSchemaValidator')
})

test('workers, which Vite bundles apart, get it beside the plugins that the app has for them', () => {
  const own = { name: 'own' }
  const config: UserConfig = { worker: { plugins: () => [own] } }
  leaveOut().config(config)
  expect(config.worker?.plugins?.()).toEqual([own, expect.objectContaining({ name: 'intab:leave-out' })])
})

const typesOfSdk = '@modelcontextprotocol/sdk/types.js'

/** What becomes of `entry` in a bundle. */
async function bundle(entry: string, plugins: Plugin[]): Promise<string> {
  const own = (id: string): boolean => id === 'entry'
  const virtual: Plugin = {
    name: 'entry',
    resolveId: (id) => (own(id) ? id : undefined),
    load: (id) => (own(id) ? entry : undefined)
  }
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [virtual, ...plugins],
    build: { write: false, rolldownOptions: { input: 'entry', preserveEntrySignatures: 'strict' } }
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('')
}

test('schemas of the protocol that nobody uses are left out, and the others are what they were', async () => {
  const entry = `export { InitializeRequestSchema, ErrorCode, McpError, isJSONRPCRequest } from '${typesOfSdk}'`
  const code = await bundle(entry, [leaveOut()])
  expect(code).toContain('initialize')
  expect(code).not.toContain('resources/templates/list')
  expect(await bundle(entry, [])).toContain('resources/templates/list')

  const made = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof protocol
  const params = { protocolVersion: '1', capabilities: { elicitation: {} }, clientInfo: { name: 'a', version: '1' } }
  const request = { method: 'initialize', params }
  expect(made.InitializeRequestSchema.parse(request)).toEqual(protocol.InitializeRequestSchema.parse(request))
  expect(made.InitializeRequestSchema.safeParse({ method: 'initialize' }).success).toBe(false)
  expect(made.isJSONRPCRequest({ jsonrpc: '2.0', id: 1, method: 'ping' })).toBe(true)
  expect(new made.McpError(made.ErrorCode.InvalidParams, 'no').code).toBe(protocol.ErrorCode.InvalidParams)
})

const transform = (code: string, id: string): string | undefined =>
  leaveOut().transform.call({ parse: parseAst }, code, id)?.code

test('every schema of the SDK can be left out, and no line of its code moves', () => {
  const file = fileURLToPath(import.meta.resolve(typesOfSdk))
  const code = readFileSync(file, 'utf8')
  const marked = transform(code, file) ?? ''
  const schemas = Object.entries(protocol).filter(([, value]) => typeof value === 'object' && '_zod' in value)
  expect(schemas.length).toBeGreaterThan(100)
  // Some are other names of one that is marked.
  const fixed = schemas.filter(([name]) => !new RegExp(`const ${name} = (/\\* @__PURE__ \\*/ |\\w+;)`).test(marked))
  expect(fixed.map(([name]) => name)).toEqual([])
  // One more after the last.
  expect(marked.split('\n').length).toBe(code.split('\n').length + 1)
})

const types = '/app/node_modules/@modelcontextprotocol/sdk/dist/esm/types.js'
const zod = "import * as z from 'zod/v4'\n"

test('a constant that zod makes is marked as a whole', () => {
  const code = `${zod}const A = z.string()\nexport const B = z.object({ a: A.refine((a) => seen(a)) }).strict();`
  expect(transform(code, types)).toBe(
    `${zod}const A = /* @__PURE__ */ (() => z.string())()\n` +
      `export const B = /* @__PURE__ */ (() => z.object({ a: A.refine((a) => seen(a)) }).strict())();`
  )
})

test('no code is generated for the schemas of the SDK, and for those of the app as before', async () => {
  const entry = `export { InitializedNotificationSchema as Sdk } from '${typesOfSdk}'; export * as z from 'zod/v4'`
  const code = await bundle(entry, [leaveOut()])
  const original = Function
  const generated = vi.fn(function generate(...parts: string[]): unknown {
    return Reflect.construct(original, parts)
  })
  vi.stubGlobal('Function', generated)
  onTestFinished(() => void vi.unstubAllGlobals())
  const made = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { Sdk: z.ZodType; z: typeof z }
  expect(made.Sdk.safeParse({ method: 'notifications/initialized', params: { _meta: {} } }).success).toBe(true)
  expect(generated).not.toHaveBeenCalled()
  expect(made.z.object({ a: made.z.string() }).safeParse({ a: 'a' }).success).toBe(true)
  expect(generated).toHaveBeenCalled()
})

test.each([
  ['calls a function of its own', `${zod}export const A = make(z.string())`],
  ['calls one for an argument', `${zod}export const A = z.object({ a: z.literal(make()) })`],
  ['calls what a function of its own made', `${zod}const S = make()\nexport const A = S.optional()`],
  ['changes something', `${zod}export const A = z.literal((count += 1))`],
  ['configures zod', `${zod}export const A = z.config({ jitless: true })`],
  ['adds to a registry', `${zod}export const A = z.string().register(registry, {})`],
  ['calls a function by zod', `${zod}export const A = z.string().apply(count)`],
  ['calls a function of unknown name', `${zod}export const A = z[make]()`],
  ['may be given another value', `${zod}export let A = z.string()`],
  ['takes another zod', "import * as z from 'zod/v3'\nexport const A = z.string()"]
])('a constant whose code %s stays as it is', (_, code) => {
  expect(transform(code, types)).toBe(code)
})

test("only the SDK's module is touched", () => {
  expect(transform(`${zod}const A = z.string()`, '/app/src/types.js')).toBeUndefined()
})
