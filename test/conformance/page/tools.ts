import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { TaskTool } from 'intab/worker'
import { taskTool } from 'intab/worker'
import * as z from 'zod'
import { image, pause, text, wav } from './samples.js'

/** Tasks of intab that ask nothing. */
export const runningTools: TaskTool[] = [
  taskTool(
    'test_tool_with_progress',
    { description: 'Reports progress', inputSchema: {}, taskSupport: 'optional' },
    async (_, task) => {
      for (const progress of [0, 50, 100]) {
        task.progress({ progress, total: 100 })
        await pause(50)
      }
      return { content: [text('Done')] }
    }
  ),
  taskTool('test_error_handling', { description: 'Throws', inputSchema: {}, taskSupport: 'optional' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  }),
  taskTool(
    'test_reconnection',
    { description: 'Takes a while', inputSchema: {}, taskSupport: 'optional' },
    async () => {
      await pause(200)
      return { content: [text('Reconnection test completed successfully')] }
    }
  )
]

const json2020 = z
  .strictObject({
    name: z.string().optional(),
    address: z.object({ street: z.string().optional(), city: z.string().optional() }).optional(),
    contactMethod: z.enum(['phone', 'email']).optional(),
    phone: z.string().optional(),
    email: z.string().optional()
  })
  .meta({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } }
      }
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] }
  })

/** Plain tools of the SDK's server. */
export function registerTools(server: McpServer): void {
  const plain = (name: string, description: string, content: object[]): void => {
    server.registerTool(name, { description }, () => ({ content: content as never }))
  }
  const resource = (uri: string, mimeType: string, value: string): object => ({
    type: 'resource',
    resource: { uri, mimeType, text: value }
  })
  plain('test_simple_text', 'Answers with text', [text('This is a simple text response for testing.')])
  plain('test_image_content', 'Answers with an image', [image])
  plain('test_audio_content', 'Answers with sound', [{ type: 'audio', data: wav, mimeType: 'audio/wav' }])
  plain('test_embedded_resource', 'Answers with a resource', [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')
  ])
  plain('test_multiple_content_types', 'Answers with everything', [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 }))
  ])
  server.registerTool('test_tool_with_logging', { description: 'Logs' }, async ({ sendNotification }) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data } })
      await pause(50)
    }
    return { content: [text('Logged')] }
  })
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: json2020 },
    (args) => ({ content: [text(JSON.stringify(args))] })
  )
}

/** Plain tools that the scenarios of MCP 2026-07-28 call. */
export function registerModernTools(server: McpServer): void {
  server.registerTool('greet', { description: 'Greets', inputSchema: { name: z.string() } }, ({ name }) => ({
    content: [text(`Hello, ${name}!`)]
  }))
  server.registerTool('test_logging_tool', { description: 'Logs' }, async ({ sendNotification }) => {
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'logged' } })
    return { content: [text('Logged')] }
  })
  // A list that changed is told to all; here it stays as it was.
  server.registerTool('test_trigger_tool_change', { description: 'Tells that tools changed' }, () => {
    server.sendToolListChanged()
    return { content: [text('Told')] }
  })
  server.registerTool('test_trigger_prompt_change', { description: 'Tells that prompts changed' }, () => {
    server.sendPromptListChanged()
    return { content: [text('Told')] }
  })
}
