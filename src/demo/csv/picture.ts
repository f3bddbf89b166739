// The profile of a table as an SVG: a histogram of each column of numbers or dates, and the most frequent values of others.

import { type ColumnPart, ranked } from './column.js'
import type { ColumnProfile } from './profile.js'

/** More columns are not drawn: the text beside the picture has them all. */
const mostColumns = 24
const bins = 14
// Small, with large letters: on a phone it is shrunk to the width of the screen.
const width = 236
const line = 21
const inner = { left: 8, top: 30, width: width - 16, height: 78 }

interface Column {
  profile: ColumnProfile
  part: ColumnPart
}

// As an image it runs nothing and loads nothing; it follows the colours of the system by itself.
const style =
  'text{font:14px system-ui,sans-serif;fill:#1b2330}.dim{fill:#5a6472}.name{font-weight:600}.bar{fill:#2f6fb5}' +
  '@media(prefers-color-scheme:dark){text{fill:#e4e8ee}.dim{fill:#97a3b0}.bar{fill:#74b3ff}}'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// What XML has no place for, such as control characters, no browser would draw.
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? '')

/** A text cut to so many characters, none of them in halves. */
function cut(text: string, most: number): string {
  const signs = Array.from(text)
  return escaped(signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : text)
}

const text = (x: number, y: number, words: string, more = ''): string =>
  `<text x="${x}" y="${y}"${more}>${words}</text>`
const bar = (x: number, y: number, w: number, h: number): string =>
  `<rect class="bar" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${w.toFixed(1)}" height="${h.toFixed(1)}" rx="1"/>`

/** A number, or the time of a date. */
const place = (value: string): number => (Number.isNaN(Number(value)) ? Date.parse(value) : Number(value))

function histogram({ profile, part }: Column): string {
  const places = ranked(part)
    .map(([value, times]) => ({ at: place(value), times }))
    .filter(({ at }) => Number.isFinite(at))
  const least = Math.min(...places.map(({ at }) => at))
  const span = Math.max(...places.map(({ at }) => at)) - least
  const counts = Array.from({ length: bins }, () => 0)
  for (const { at, times } of places) {
    const bin = span === 0 ? 0 : Math.min(bins - 1, Math.floor(((at - least) / span) * bins))
    counts[bin] = (counts[bin] ?? 0) + times
  }
  const highest = Math.max(1, ...counts)
  const step = inner.width / bins
  const bars = counts.map((count, n) => {
    const size = (count / highest) * inner.height
    return count === 0 ? '' : bar(inner.left + n * step + 1, inner.top + inner.height - size, step - 2, size)
  })
  const { min = '', max = '', mean } = profile
  const under = inner.top + inner.height + 17
  return [
    ...bars,
    text(inner.left, under, cut(String(min), 12), ' class="dim"'),
    mean === undefined ? '' : text(width / 2, under, `mean ${mean}`, ' class="dim" text-anchor="middle"'),
    text(width - inner.left, under, cut(String(max), 12), ' class="dim" text-anchor="end"')
  ].join('')
}

function frequent({ profile }: Column): string {
  const top = profile.top ?? []
  const highest = Math.max(1, ...top.map(({ count }) => count))
  const [from, room] = [inner.left + 96, inner.width - 96 - 40]
  return top
    .map(({ value, count }, n) => {
      const y = inner.top + n * line
      const size = Math.max(1, (count / highest) * room)
      return (
        text(inner.left, y + 12, cut(value, 12)) +
        bar(from, y + 1, size, 14) +
        text(from + size + 5, y + 12, String(count), ' class="dim"')
      )
    })
    .join('')
}

const isHistogram = ({ profile: { type } }: Column): boolean => type === 'number' || type === 'date'

const heightOf = (column: Column): number =>
  inner.top + (isHistogram(column) ? inner.height + line : (column.profile.top ?? []).length * line) + 12

function draw(column: Column): string {
  const { name, type } = column.profile
  const title = text(inner.left, 18, cut(name, 18), ' class="name"')
  const kind = text(width - inner.left, 18, type, ' class="dim" text-anchor="end"')
  return title + kind + (isHistogram(column) ? histogram(column) : frequent(column))
}

/** Undefined where no column has anything to draw. */
export function drawProfile(columns: readonly Column[]): string | undefined {
  const drawn = columns.filter(({ profile: { type } }) => type !== 'text' && type !== 'empty').slice(0, mostColumns)
  if (drawn.length === 0) return undefined
  let bottom = 0
  const groups: string[] = []
  for (let at = 0; at < drawn.length; at += 2) {
    const pair = drawn.slice(at, at + 2)
    pair.forEach((column, n) => groups.push(`<g transform="translate(${n * width} ${bottom})">${draw(column)}</g>`))
    bottom += Math.max(...pair.map(heightOf))
  }
  const all = Math.min(2, drawn.length) * width
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="${bottom}" viewBox="0 0 ${all} ${bottom}">`
  return `${head}<style>${style}</style>${groups.join('')}</svg>`
}

/** The picture as the content of a result: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#image-content */
export function asImage(svg: string): { type: 'image'; mimeType: string; data: string } {
  const bytes = new TextEncoder().encode(svg)
  return {
    type: 'image',
    mimeType: 'image/svg+xml',
    data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  }
}
