// Leaves out of a bundle what the MCP SDK carries and an app with intab never runs.

import type { Plugin, Rolldown, UserConfig } from 'vite'
import { markSchemas } from './mark-schemas.js'

const sdk = /[\\/]@modelcontextprotocol[\\/]sdk[\\/]/

/** Generates code for each schema, which a strict Content-Security-Policy forbids; the SDK has another that does not. */
const ajvProvider = /[\\/]@modelcontextprotocol[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/

/** All schemas of the protocol, of which a client needs one part and a server another. */
const protocolSchemas = /[\\/]@modelcontextprotocol[\\/]sdk[\\/]dist[\\/]esm[\\/]types\.js$/

/** Only for schemas of zod 3, which intab's peer dependency excludes. */
const unused: Readonly<Record<string, string>> = { 'zod/v3': 'object', 'zod-to-json-schema': 'zodToJsonSchema' }

const zodImport = /^import \* as z from 'zod\/v4';/m

/**
 * The SDK's schemas without the code that zod compiles for each at its first use, which takes a new worker longer than
 * its sessions ever save by it. The setting is put back before anybody else makes a schema.
 */
const uncompiled = (code: string): string =>
  zodImport.test(code)
    ? `${code.replace(zodImport, '$& const { jitless: before } = z.config(); z.config({ jitless: true });')}
z.config({ jitless: before });`
    : code

const stub = (source: string, name: string): string => `export function ${name}() {
  throw new Error(${JSON.stringify(`${source} is left out by intab/vite: write schemas with zod 4, or take the plugin out`)})
}`

/**
 * Puts the SDK's other validator in Ajv's place, and leaves out the SDK's support for schemas of zod 3 and the protocol
 * schemas that nobody uses. Applies to the page and to its workers, which Vite bundles with plugins of their own.
 */
export function leaveOut() {
  const prefix = '\0intab:'
  const plugin = {
    name: 'intab:leave-out',
    enforce: 'pre',
    resolveId(this: void, source: string, importer = '') {
      return Object.hasOwn(unused, source) && sdk.test(importer) ? `${prefix}${source}` : undefined
    },
    load(this: void, id: string) {
      if (ajvProvider.test(id)) {
        return "export { CfWorkerJsonSchemaValidator as AjvJsonSchemaValidator } from './cfworker-provider.js'"
      }
      const source = id.startsWith(prefix) ? id.slice(prefix.length) : ''
      const name = unused[source]
      return name === undefined ? undefined : stub(source, name)
    },
    transform(this: Pick<Rolldown.TransformPluginContext, 'parse'>, code: string, id: string) {
      // No line moves, so that the SDK's own source map still fits.
      return protocolSchemas.test(id)
        ? { code: uncompiled(markSchemas(code, this.parse(code).body)), map: null }
        : undefined
    }
  } satisfies Plugin
  return {
    ...plugin,
    config(config: UserConfig) {
      const others = config.worker?.plugins
      // As `type: 'module'` of the worker says.
      config.worker = { format: 'es', ...config.worker, plugins: () => [...(others?.() ?? []), plugin] }
    }
  } satisfies Plugin
}
