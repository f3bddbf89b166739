import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { policyFor, smallRuntime } from './scripts/model-worker.mjs'
import { serviceWorker } from './scripts/service-worker.mjs'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

// As strict as a real app's: no inline script, no eval. A worker is ruled by the header of its own script's response,
// so every response carries it: https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP#workers
export const contentSecurityPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

/** The same for hosts that send no headers: what a meta element can say of it. */
const policyOfPage: Plugin = {
  name: 'policy-of-page',
  apply: 'build',
  transformIndexHtml(_html, { path }) {
    if (path !== '/index.html') return []
    const content = contentSecurityPolicy.replace(/; frame-ancestors [^;]*/, '')
    return [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content }, injectTo: 'head-prepend' }]
  }
}

/** Sends the policy of each path, with more directives where wanted. */
export const headers = (more = ''): Plugin => ({
  name: 'headers',
  configurePreviewServer(server) {
    server.middlewares.use(({ url = '/' }, response, next) => {
      const { pathname } = new URL(url, 'http://localhost')
      response.setHeader('Content-Security-Policy', policyFor(contentSecurityPolicy, pathname) + more)
      response.setHeader('X-Content-Type-Options', 'nosniff')
      next()
    })
  }
})

export default defineConfig({
  // The names 'intab', 'intab/worker', … resolve to src as tsconfig.json says.
  resolve: { tsconfigPaths: true },
  base: './',
  worker: { format: 'es', plugins: () => [smallRuntime()] },
  plugins: [
    policyOfPage,
    headers(),
    smallRuntime(),
    serviceWorker(path('index.html'), path('src/demo/offline/service-worker.ts'))
  ],
  build: { outDir: 'dist-demo', target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0 }
})
