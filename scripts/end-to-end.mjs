// The browser tests, in two parts: `npm test` runs the quick ones, `npm run test:all` the slow ones.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ofPlaywright } from './reports.mjs'
import { runTool } from './run.mjs'
import { readReport } from './total.mjs'

/**
 * Needs the installed dependencies and the build; installs the browser.
 * @param {'quick' | 'slow'} project of playwright.config.ts
 */
export async function endToEnd(project) {
  const { ensureBrowser } = await import('./browser.mjs')
  const folder = await mkdtemp(join(tmpdir(), 'intab-e2e-'))
  try {
    const file = join(folder, 'playwright.json')
    const env = { INTAB_BROWSER: await ensureBrowser(), PLAYWRIGHT_JSON_OUTPUT_FILE: file }
    const code = await runTool('playwright', ['test', `--project=${project}`, '--reporter=list,json'], env)
    return await readReport(code, file, ofPlaywright)
  } finally {
    await rm(folder, { recursive: true })
  }
}
