// What the worker under test tells of itself, beside intab's own road: it must be heard when that is cut.

export type Sign = { point: string; stopped: boolean } | { step: string }

export const channelOf = (database: string): BroadcastChannel => new BroadcastChannel(`signs:${database}`)

/** Points by name and how often it came before, from 0: whatever order two of them come in, each can be found again. */
export function counter(): (point: string) => string {
  const counts = new Map<string, number>()
  return (point) => {
    const before = counts.get(point) ?? 0
    counts.set(point, before + 1)
    return `${point}#${before}`
  }
}

/** The database of one walk, and the point at which its worker stops and waits to be killed (empty: never). */
export const nameOf = (database: string, at = ''): string => `${database}|${at}`

export function parseName(name: string): { database: string; at: string } {
  const [database = '', at = ''] = name.split('|')
  return { database, at }
}
