import { intab, type ViteConfig } from 'intab/vite'
import { expect, test } from 'vitest'

const inSdk = '/app/node_modules/@modelcontextprotocol/sdk/dist/esm/server/zod-compat.js'

test('what only the SDK takes from zod 3 is left out, and an app that has zod 3 keeps it', () => {
  const plugin = intab()
  const id = plugin.resolveId('zod/v3', inSdk)
  expect(plugin.load(id ?? '')).toContain('write schemas with zod 4')
  expect(plugin.resolveId('zod/v3', '/app/src/main.ts')).toBeUndefined()
  expect(plugin.resolveId('zod/v4', inSdk)).toBeUndefined()
})

test('the validator that generates code gives its place to the one that does not', () => {
  const code = intab().load('/app/node_modules/@modelcontextprotocol/sdk/dist/esm/validation/ajv-provider.js')
  expect(code).toContain('CfWorkerJsonSchemaValidator as AjvJsonSchemaValidator')
})

test('workers, which Vite bundles apart, get it beside the plugins that the app has for them', () => {
  const own = { name: 'own' }
  const config: ViteConfig = { worker: { plugins: () => [own] } }
  intab().config?.(config)
  expect(config.worker?.plugins?.()).toEqual([own, expect.objectContaining({ name: 'intab' })])
})
