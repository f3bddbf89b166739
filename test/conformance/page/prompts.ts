import { completable } from '@modelcontextprotocol/sdk/server/completable.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import * as z from 'zod'
import { image, text } from './samples.js'

const cities = ['paris', 'park', 'party']

export function registerPrompts(server: McpServer): void {
  const user = <Content>(content: Content) => ({ role: 'user' as const, content })

  server.registerPrompt('test_simple_prompt', { description: 'A prompt' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))]
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A prompt with arguments',
      argsSchema: {
        arg1: completable(z.string(), (start) => cities.filter((city) => city.startsWith(start))),
        arg2: z.string()
      }
    },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] })
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A prompt with a resource', argsSchema: { resourceUri: z.string() } },
    ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource' as const,
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' }
        }),
        user(text('Please process the embedded resource above.'))
      ]
    })
  )
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt with an image' }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))]
  }))
}
