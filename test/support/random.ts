// Numbers that come again with their seed.

export interface Random {
  /** Whole, from 0 to below n. */
  below(n: number): number
  chance(p: number): boolean
  pick<T>(list: readonly T[]): T | undefined
}

/** A small generator (a Weyl sequence, mixed); good enough to choose tests, and nothing else. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let x = state
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
    return ((x ^ (x >>> 16)) >>> 0) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(next() * n)
  return { below, chance: (p) => next() < p, pick: (list) => list[below(list.length)] }
}
