// What a task came to, as elements. Text stays text: a result may come from anywhere.

import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { h } from './dom.js'

function renderLink(uri: string, name: string): HTMLElement {
  // Other schemes, javascript: above all, are shown but not made into links.
  return /^https?:/i.test(uri) ? h('a', { href: uri, rel: 'noreferrer', target: '_blank' }, name) : h('code', {}, uri)
}

function renderBlock(block: ContentBlock): HTMLElement {
  switch (block.type) {
    case 'text':
      return h('p', { class: 'text' }, block.text)
    case 'image':
      return h('img', { src: `data:${block.mimeType};base64,${block.data}`, alt: 'Image of the result' })
    case 'audio':
      return h('p', {}, `Audio (${block.mimeType})`)
    case 'resource_link':
      return h('p', {}, renderLink(block.uri, block.title ?? block.name))
    case 'resource':
      return 'text' in block.resource
        ? h('pre', {}, block.resource.text)
        : h('p', {}, `Resource ${block.resource.uri} (${block.resource.mimeType ?? 'binary'})`)
  }
}

/** The content of a tool's result; its structured content where there is no other. */
export function renderResult({ content, structuredContent, isError }: CallToolResult): HTMLElement {
  const blocks = content.map(renderBlock)
  if (blocks.length === 0 && structuredContent) blocks.push(h('pre', {}, JSON.stringify(structuredContent, null, 2)))
  if (blocks.length === 0) blocks.push(h('p', { class: 'hint' }, 'The result is empty.'))
  return h('div', { class: isError ? 'outcome error' : 'outcome' }, ...blocks)
}

/** An error that came instead of a result; the SDK writes its code before its text. */
export function renderError(error: Error): HTMLElement {
  const text = error.message.replace(/^MCP error -?\d+: /, '')
  return h('div', { class: 'outcome error' }, h('p', { class: 'text' }, text))
}
