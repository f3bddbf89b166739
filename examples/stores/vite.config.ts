import { defineConfig } from 'vite'

export default defineConfig({
  // In this repository 'intab/stores' is src/stores.ts, as tsconfig.json says; elsewhere it is the package.
  resolve: { tsconfigPaths: true },
  base: './',
  build: { target: 'es2022' }
})
