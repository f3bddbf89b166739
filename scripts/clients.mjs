// Runs real clients against a server in a page, through the bridge: `npm run clients`, or with the names of some.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './ensure.mjs'
import { install, modernNode, servePage, startBridge } from './outside.mjs'
import { root } from './run.mjs'

await ensureInstalled()
const folder = join(root, 'test', 'clients')
const asked = process.argv.slice(2)
const files = (await readdir(folder)).filter((file) => file !== 'context.mjs')
const chosen = files.filter((file) => asked.length === 0 || asked.some((name) => file.startsWith(name)))
const node = await modernNode()
const page = await servePage('test/conformance/vite.config.ts')
const bridge = await startBridge(page.url)
let failed = 0
try {
  for (const file of chosen.sort()) {
    const { name, packages, run } = await import(pathToFileURL(join(folder, file)).href)
    console.log(`\n${name}`)
    try {
      const hasPackages = Object.keys(packages).length > 0
      const modules = hasPackages ? await install(Object.values(packages).join('-'), packages) : ''
      await run({ url: bridge.url, modules, node, passed: (/** @type {string} */ what) => console.log(`  ✓ ${what}`) })
    } catch (error) {
      failed += 1
      console.error('  ✗', error)
    }
  }
} finally {
  await bridge.close()
  await page.close()
}
console.log(`\n${chosen.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
