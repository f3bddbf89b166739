// What this server can do beside its task tools: one plain tool.

import { mcpServer } from 'intab/mcp-server'
import * as z from 'zod'
import { saveNote } from './notes.js'

export const plainMethods = mcpServer((server) => {
  server.registerTool(
    'save_note',
    {
      title: 'Save a note',
      description: "Writes a file into this origin's private file system, at once: a tool without task support.",
      inputSchema: {
        filename: z.string().min(1).default('notes.txt').meta({ title: 'File' }),
        text: z.string().default('').meta({ title: 'Text', contentMediaType: 'text/plain' })
      }
    },
    async ({ filename, text }) => {
      await saveNote(filename, text)
      return { content: [{ type: 'text', text: `Saved ${filename} (${text.length} characters)` }] }
    }
  )
})
