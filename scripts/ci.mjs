// What must hold before a change goes in: `npm test` and `npm run test:all`. The last line is the total of both.
import { add, closing, nothing, npmRun, sentence } from './total.mjs'

const total = nothing()
const lines = []
for (const script of ['test', 'test:all']) {
  const began = Date.now()
  const result = await npmRun(script)
  add(total, result)
  lines.push(`npm run ${script}: ${sentence(result)}, ${Math.round((Date.now() - began) / 1000)} s`)
}
console.log(`\n${lines.join('\n')}\n${closing(total)}`)
process.exitCode = total.failed > 0 ? 1 : 0
