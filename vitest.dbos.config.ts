import { defineConfig } from 'vitest/config'
import base from './vitest.config.js'

/** Seconds of load, in place of the tests. */
const { INTAB_LOAD: load } = process.env

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: [load === undefined ? 'test/dbos/**/*.test.ts' : 'test/dbos/load.ts'],
    exclude: [],
    fileParallelism: false
  }
})
