// The conformance server and its page, under the same strict policy as the demo.
import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vite'
import base from '../../vite.config.js'

export default mergeConfig(base, {
  root: fileURLToPath(new URL('page', import.meta.url)),
  build: { outDir: '../../../dist-demo/conformance', emptyOutDir: true }
})
