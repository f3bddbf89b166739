// Builds the demo and serves it, from a fresh clone as well. PORT chooses the port.
import { ensureInstalled } from './ensure.mjs'
import { root } from './run.mjs'

await ensureInstalled()
const { build, preview } = await import('vite')
const port = process.env['PORT']
await build({ root, logLevel: 'warn' })
const server = await preview({ root, preview: port ? { port: Number(port), strictPort: true } : {} })
server.printUrls()
