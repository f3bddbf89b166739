// Web Locks for Node, which has none in version 20: one space is one origin, one view is one page or worker of it.
import type { Locks } from '../../src/types.js'

type Mode = 'exclusive' | 'shared'

interface Claim {
  holder: object
  mode: Mode
  granted: boolean
  grant(): void
}

export class LockSpace {
  readonly #queues = new Map<string, Claim[]>()

  add(name: string, claim: Claim): void {
    this.#queues.set(name, [...(this.#queues.get(name) ?? []), claim])
    this.#grant(name)
  }

  drop(name: string, claim: Claim): void {
    const left = (this.#queues.get(name) ?? []).filter((other) => other !== claim)
    if (left.length > 0) this.#queues.set(name, left)
    else this.#queues.delete(name)
    this.#grant(name)
  }

  dropAll(holder: object): void {
    for (const [name, claims] of this.#queues) {
      for (const claim of claims) if (claim.holder === holder) this.drop(name, claim)
    }
  }

  /** Names that somebody holds, or waits for, in any way; empty when nothing leaked. */
  get names(): string[] {
    return [...this.#queues.keys()]
  }

  held(prefix: string): string[] {
    const exclusive = (claims: Claim[]): boolean => claims.some(({ mode, granted }) => granted && mode === 'exclusive')
    return [...this.#queues].flatMap(([name, claims]) => (name.startsWith(prefix) && exclusive(claims) ? [name] : []))
  }

  #grant(name: string): void {
    for (const [place, claim] of (this.#queues.get(name) ?? []).entries()) {
      const before = (this.#queues.get(name) ?? []).slice(0, place)
      const alone = claim.mode === 'exclusive' ? place === 0 : before.every(({ mode }) => mode === 'shared')
      if (!alone) return
      if (claim.granted) continue
      claim.granted = true
      queueMicrotask(() => claim.grant())
    }
  }
}

export interface MortalLocks extends Locks {
  /** Drops all that this holder has or waits for, as the browser does when a page or worker ends. */
  die(): void
}

/** The locks of one page or worker. */
export function memoryLocks(space: LockSpace): MortalLocks {
  const holder = {}
  let dead = false

  const request = (name: string, mode: Mode, signal: AbortSignal | undefined): Promise<() => void> =>
    new Promise((resolve, reject) => {
      if (dead) return
      if (signal?.aborted) return reject(signal.reason)
      const onabort = (): void => {
        if (claim.granted) return
        space.drop(name, claim)
        reject(signal?.reason)
      }
      const claim: Claim = {
        holder,
        mode,
        granted: false,
        grant() {
          signal?.removeEventListener('abort', onabort)
          if (!dead) resolve(() => space.drop(name, claim))
        }
      }
      signal?.addEventListener('abort', onabort)
      space.add(name, claim)
    })

  return {
    hold: (name, signal) => request(name, 'exclusive', signal),
    free: async (name, signal) => (await request(name, 'shared', signal))(),
    held: async (prefix) => space.held(prefix),
    die() {
      dead = true
      space.dropAll(holder)
    }
  }
}
