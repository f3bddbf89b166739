// The soak's page alone; INTAB_SABOTAGE names a mechanism to switch off.
import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vite'
import base from '../../../vite.config.js'
import { isMechanism, sabotage } from './sabotage.js'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const name = process.env['INTAB_SABOTAGE'] ?? ''
const cut = isMechanism(name) ? sabotage(name) : undefined
if (name !== '' && cut === undefined) throw new Error(`No mechanism is called '${name}'`)

export default mergeConfig(base, {
  root: path('../../..'),
  plugins: cut ? [cut] : [],
  // Pages and workers are built apart, and share what was done.
  worker: { plugins: () => (cut ? [{ ...cut, closeBundle: undefined }] : []) },
  build: {
    outDir: process.env['INTAB_SOAK_BUILD'] ?? 'dist-e2e/soak',
    emptyOutDir: true,
    rolldownOptions: { input: [path('../pages/soak.html')] }
  }
})
