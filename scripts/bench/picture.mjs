// The history of the bench as a picture: a line for each row, a dot for each engine at the newest release, smaller ones for
// the releases before, and a tick at the goal.

/** @typedef {import('./results.mjs').Line} Line */
/** @typedef {import('./results.mjs').Run} Run */

const [left, right, top, step] = [430, 300, 64, 22]
/** What the axis shows of ratios; beyond it a dot stands at its end. */
const [least, most] = [0.25, 4]
const shapes = ['circle', 'square', 'diamond', 'ring']

/** @param {number} ratio */
const x = (ratio) => {
  const part = Math.log2(Math.min(most, Math.max(least, ratio)) / least) / Math.log2(most / least)
  return Number((left + part * right).toFixed(1))
}

/** @param {string} text */
const escape = (text) => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)

/**
 * @param {number} kind
 * @param {number} cx
 * @param {number} cy
 * @param {number} size
 * @param {string} title
 */
function dot(kind, cx, cy, size, title) {
  const at = `class="e${kind % shapes.length}"`
  const label = `<title>${escape(title)}</title>`
  switch (shapes[kind % shapes.length]) {
    case 'square':
      return `<rect ${at} x="${cx - size}" y="${cy - size}" width="${2 * size}" height="${2 * size}">${label}</rect>`
    case 'diamond':
      return `<path ${at} d="M${cx} ${cy - size * 1.3}l${size * 1.3} ${size * 1.3}l${-size * 1.3} ${size * 1.3}l${-size * 1.3} ${-size * 1.3}z">${label}</path>`
    default:
      return `<circle ${at} cx="${cx}" cy="${cy}" r="${size}">${label}</circle>`
  }
}

/**
 * @param {readonly Line[]} history oldest first
 * @param {Record<string, Run>} results the newest run of each engine
 * @returns {string} an SVG
 */
export function picture(history, results) {
  const engines = [...new Set(history.map(({ engine }) => engine))]
  const goals = new Map(Object.values(results).flatMap(({ rows }) => rows.map(({ name, goal }) => [name, goal])))
  const names = [...goals.keys()]
  const newest = history.at(-1)?.version
  const height = top + names.length * step + 20
  const ticks = [0.25, 0.5, 1, 2, 4]
  const rows = names.map((name, n) => {
    const y = top + n * step + 12
    const goal = Number(goals.get(name)?.replace(/[^\d.]/g, '') || Number.NaN)
    const mark = Number.isNaN(goal) ? '' : `<path class="goal" d="M${x(goal)} ${y - 7}v14"><title>goal</title></path>`
    const dots = history.flatMap(({ version, engine, ratios }) => {
      const ratio = ratios[name]
      if (ratio === undefined) return []
      const size = version === newest ? 4.5 : 2
      return [dot(engines.indexOf(engine), x(ratio), y, size, `${engine}, ${version}: ${ratio}`)]
    })
    return `<text x="${left - 12}" y="${y + 4}" text-anchor="end">${escape(name)}</text><path class="row" d="M${left} ${y}h${right}"/>${mark}${dots.join('')}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + right + 30} ${height}" role="img" aria-labelledby="t">
<title id="t">How many times its floor each row of the bench takes, by engine and release</title>
<style>
text { font: 11px system-ui, sans-serif; fill: #333 }
.axis, .row { stroke: #ddd; fill: none } .goal { stroke: #b00; stroke-width: 2 }
.e0 { fill: #1a6fd4 } .e1 { fill: #d9730d } .e2 { fill: #2c8a4b } .e3 { fill: none; stroke: #8648c9; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .axis, .row { stroke: #444 } .goal { stroke: #f66 } }
</style>
${engines.map((engine, n) => `${dot(n, 16 + n * 130, 16, 4.5, engine)}<text x="${28 + n * 130}" y="20">${escape(engine)}</text>`).join('\n')}
<path class="goal" d="M${16 + engines.length * 130} 9v14"/><text x="${24 + engines.length * 130}" y="20">goal</text>
${ticks.map((ratio) => `<path class="axis" d="M${x(ratio)} ${top - 10}V${height - 16}"/><text x="${x(ratio)}" y="${top - 16}" text-anchor="middle">${ratio}×</text>`).join('\n')}
${rows.join('\n')}
</svg>
`
}
