import { scenarios } from '../scenarios/scenarios.js'
import { twoProcesses } from './world.js'

const { one, two, start } = twoProcesses()

scenarios('in processes of a server', {
  begin: start,
  transport: (host, era) => (host === 'first' ? one() : two()).transport(era),
  kill: async () => void (await one().end()),
  lines: () => [...one().lines, ...two().lines]
})
