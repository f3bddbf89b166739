// A page and its workers have clocks that run alike, but begin at different times; and the wall clock, which would bring
// them together, is set while they run.

export const now = (): number => performance.now()

/** How far the clock of another context is ahead of ours; its time as it was in the shortest of many round trips. */
export async function aheadOf(ask: () => Promise<number>): Promise<number> {
  let shortest = Infinity
  let ahead = 0
  for (let i = 0; i < 100; i += 1) {
    const sent = now()
    const theirs = await ask()
    const took = now() - sent
    if (took >= shortest) continue
    shortest = took
    ahead = theirs - (sent + took / 2)
  }
  return ahead
}
