// 20,000 messages on both sides of the bridge, most of them nonsense; `npm test` sends a few hundred.
import { runTool } from '../run.mjs'

/** @type {import('./groups.mjs').Group} */
export const bridgeFuzz = {
  name: 'bridge-fuzz',
  scripts: [],
  run: async () => {
    const code = await runTool('vitest', ['run', 'test/bridge/fuzz.test.ts'], {
      INTAB_BRIDGE_FUZZ: '20000',
      INTAB_BRIDGE_SEED: process.env['INTAB_BRIDGE_SEED'] ?? '20260728'
    })
    return { passed: code === 0 ? 2 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  }
}
