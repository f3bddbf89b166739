// Times, durations and names as people read them.

export const statusWords = {
  working: 'working',
  input_required: 'needs an answer',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled'
}

const units: [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000]
]

/** `250 ms`, `1.5 s`, `3 min`, `5.2 h`: one unit, two digits at least. */
export function duration(ms: number): string {
  const [name, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? ['ms', 1]
  const value = ms / size
  return `${Math.abs(value) < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${name}`
}

/** `12 kB`, `3.4 MB`: decimal units, as the browsers' own pages have them. */
export function bytes(count: number): string {
  const power = Math.min(4, Math.floor(Math.log10(Math.max(1, count)) / 3))
  const value = count / 1000 ** power
  return `${value < 10 && power > 0 ? Math.round(value * 10) / 10 : Math.round(value)} ${['B', 'kB', 'MB', 'GB', 'TB'][power]}`
}

const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }
const ofDay = new Intl.DateTimeFormat(undefined, { ...time, fractionalSecondDigits: 3 })
const toSeconds = new Intl.DateTimeFormat(undefined, time)
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** Local time, with the date where that is not today's: with milliseconds, or `short` without. */
export function clock(at: number, short?: 'short'): string {
  const text = (short === undefined ? ofDay : toSeconds).format(at)
  return day.format(at) === day.format(Date.now()) ? text : `${day.format(at)}, ${text}`
}

/** The end of the name of a worker or connection, enough to tell one from another. */
export const shortName = (name: string): string => name.slice(-4)

/** A value as text of one line, cut off. */
export function brief(value: unknown, most = 200): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The round moments between two times, `most` or fewer, as milliseconds after `start`. */
export function ticks(from: number, to: number, start: number, most: number): number[] {
  const least = (to - from) / most
  const [, unit] = units.find(([, size]) => least >= size) ?? ['ms', 1]
  const power = 10 ** Math.floor(Math.log10(least / unit))
  const step = [1, 2, 5, 10].map((digit) => digit * power * unit).find((size) => size >= least) ?? least
  const first = Math.ceil((from - start) / step)
  const last = Math.floor((to - start) / step)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * step)
}
