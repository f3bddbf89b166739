// What the worker under test tells of itself, beside intab's own road: it must be heard when that is cut.

export type Sign = { point: string; stopped: boolean } | { step: string }

export const channelOf = (database: string): BroadcastChannel => new BroadcastChannel(`signs:${database}`)

/** The database of one walk, and the point at which its worker stops and waits to be killed (empty: never). */
export const nameOf = (database: string, at = ''): string => `${database}|${at}`

export function parseName(name: string): { database: string; at: string } {
  const [database = '', at = ''] = name.split('|')
  return { database, at }
}
