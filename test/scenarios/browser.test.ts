import * as z from 'zod'
import { taskTool } from '../../src/tool.js'
import { World } from '../support/world.js'
import { scenarios } from './scenarios.js'
import { scenarioTools } from './tools.mjs'

const lines: string[] = []
let world: World

scenarios('in a worker of a browser', {
  begin: () => {
    world = new World({ tools: scenarioTools(taskTool, z, (line) => lines.push(line)), deliveryGrace: 1_000 })
    return Promise.resolve()
  },
  transport: () => world.transport().transport,
  kill: () => {
    world.living().kill()
    return Promise.resolve()
  },
  lines: () => lines
})
