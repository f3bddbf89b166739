// Numbers and times as people read them.

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** `8 s`, `3 min`, `5 h`, `6 d`: one unit; seconds and minutes that are over, hours and days to the nearest. */
export function duration(milliseconds: number): string {
  const ms = Math.max(0, milliseconds)
  if (ms < minute) return `${Math.floor(ms / second)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  if (ms < day) return `${Math.round(ms / hour)} h`
  return `${Math.round(ms / day)} d`
}

/** How long ago: `just now`, `8 s ago`. */
export function age(time: string, now = Date.now()): string {
  const ms = now - Date.parse(time)
  return ms < second ? 'just now' : `${duration(ms)} ago`
}

const units = ['B', 'kB', 'MB', 'GB', 'TB']

/** `512 B`, `13.5 kB`: powers of 1000, three digits. */
export function bytes(count: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)))
  return `${Number((count / 1000 ** power).toPrecision(3))} ${units[power]}`
}

/** The end of a worker's name, enough to tell one from another. */
export const shortId = (name: string): string => name.slice(-4)

export const clockTime = (time: string): string => new Date(time).toLocaleTimeString([], { timeStyle: 'medium' })
