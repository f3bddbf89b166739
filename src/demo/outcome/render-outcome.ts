// What a task came to, as elements. Text stays text: a result may come from anywhere.

import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { h } from '../dom.js'
import { bytes } from '../format.js'

/** Only what a browser shows without running anything; a data URL of another type could be a document. */
const isImage = (type: string): boolean => /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/.test(type)
const isAudio = (type: string): boolean => /^audio\/[\w.+-]+$/.test(type)
const isBase64 = (data: string): boolean => /^[A-Za-z0-9+/=\s]*$/.test(data)

function renderLink(uri: string, name: string): HTMLElement {
  // Other schemes, javascript: above all, are shown but not made into links.
  return /^https?:/i.test(uri) ? h('a', { href: uri, rel: 'noreferrer', target: '_blank' }, name) : h('code', {}, uri)
}

const parameters = /^([\w.+/-]+)(?:\s*;\s*[\w.+-]+=(?:[\w.+-]+|"[^"]*"))*\s*$/

/** As browsers know it: types are case-insensitive and may have parameters, and some write jpg. Empty for what is no type. */
function known(written: string): string {
  const [, type = ''] = parameters.exec(written) ?? []
  return type.toLowerCase().replace(/^image\/jpg$/, 'image/jpeg')
}

function renderData(written: string, data: string, name: string): HTMLElement {
  const type = known(written)
  const size = bytes(Math.floor((data.length * 3) / 4))
  if (isBase64(data)) {
    const src = `data:${type};base64,${data}`
    if (isImage(type)) return h('img', { src, alt: name })
    if (isAudio(type)) return h('audio', { src, controls: true, 'aria-label': name })
  }
  return h('p', { class: 'hint' }, `${name} (${written || 'unknown type'}, ${size})`)
}

function renderBlock(block: ContentBlock): HTMLElement {
  switch (block.type) {
    case 'text':
      // A text that is laid out in columns or lines keeps them.
      return h(block.text.includes('  ') ? 'pre' : 'p', { class: 'text' }, block.text)
    case 'image':
      return renderData(block.mimeType, block.data, 'Image of the result')
    case 'audio':
      return renderData(block.mimeType, block.data, 'Audio of the result')
    case 'resource_link':
      return h('p', {}, renderLink(block.uri, block.title ?? block.name))
    case 'resource': {
      const { uri, mimeType = '' } = block.resource
      const body =
        'text' in block.resource ? h('pre', {}, block.resource.text) : renderData(mimeType, block.resource.blob, uri)
      return h('figure', {}, h('figcaption', {}, h('code', {}, uri)), body)
    }
  }
}

const json = (value: unknown): HTMLElement => h('pre', {}, JSON.stringify(value, null, 2))

/** The content of a tool's result, and its structured content below. */
export function renderResult({ content, structuredContent, isError }: CallToolResult): HTMLElement {
  const blocks = content.map(renderBlock)
  if (structuredContent !== undefined) {
    const summary = h('summary', {}, 'Structured content')
    blocks.push(h('details', { class: 'structured', open: blocks.length === 0 }, summary, json(structuredContent)))
  }
  if (blocks.length === 0) blocks.push(h('p', { class: 'hint' }, 'The result is empty.'))
  return h('div', { class: isError ? 'outcome error' : 'outcome' }, ...blocks)
}

/** An error that came instead of a result; the SDK writes its code before its text. */
export function renderError(error: Error): HTMLElement {
  const { code, data } = error as { code?: unknown; data?: unknown }
  const text = h('p', { class: 'text' }, error.message.replace(/^MCP error -?\d+: /, ''))
  const coded = typeof code === 'number' ? [h('p', { class: 'hint' }, `Error ${code}`)] : []
  return h('div', { class: 'outcome error' }, text, ...coded, ...(data === undefined ? [] : [json(data)]))
}
