// "intab/lend": tools of a page, for its worker.

export { type LendableTool, lendTools, type LendToolsOptions } from './lend/lend-tools.js'
