import { intab } from 'intab/vite'
import { defineConfig } from 'vite'

const pages = ['ai-sdk', 'langchain', 'openai-agents', 'tanstack-ai']

export default defineConfig({
  // @langchain/mcp-adapters brings the stdio transport, which looks at these when it is loaded.
  define: { global: 'globalThis', 'process.env': '{}', 'process.platform': '"browser"' },
  plugins: [intab()],
  worker: { format: 'es' },
  build: { target: 'es2022', rolldownOptions: { input: pages.map((page) => `${page}/index.html`) } }
})
