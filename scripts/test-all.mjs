// Everything slower than `npm test`, by groups: `npm run test:all`, or with the names of some. The last line is the total.
import { ensureInstalled } from './ensure.mjs'
import { add, closing, nothing, sentence } from './total.mjs'

await ensureInstalled()
const { groups } = await import('./groups/groups.mjs')
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !groups.some((group) => group.name === name))
if (unknown.length > 0) {
  console.error(`No group is named ${unknown.join(' or ')}. Choose from ${groups.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

const total = nothing()
/** @type {string[]} */
const lines = []
for (const { name, run } of groups) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n> ${name}`)
  const began = Date.now()
  const result = await run().catch((error) => {
    console.error(error)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  add(total, result)
  lines.push(`${name.padEnd(16)} ${String(Math.round((Date.now() - began) / 1000)).padStart(4)} s  ${sentence(result)}`)
}
console.log(`\n${lines.join('\n')}\n\n${closing(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0
