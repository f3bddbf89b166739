// What the conformance suite asks of a server, and one tool for other clients. Whatever can be a task is one, so that the
// suite runs the engine.

import '../../../src/demo/jitless.js'
import { mcpServer } from 'intab/mcp-server'
import { serve } from 'intab/worker'
import { confirmDelete } from '../../support/confirm-delete.js'
import { askingTools } from './asking-tools.js'
import { registerPrompts } from './prompts.js'
import { registerResources } from './resources.js'
import { modernTools } from './modern-tools.js'
import { registerModernTools, registerTools, runningTools } from './tools.js'

serve({
  name: 'intab-conformance',
  version: '0.0.0',
  tools: [...runningTools, ...askingTools, ...modernTools, confirmDelete],
  setup: mcpServer((server) => {
    registerTools(server)
    registerModernTools(server)
    registerResources(server)
    registerPrompts(server)
  })
})
