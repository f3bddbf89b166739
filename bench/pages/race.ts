// Ours against its floor, round by round in one page, so that both have the same machine.

export interface Quantiles {
  p50: number
  p99: number
}

/** A line of bench/results.json. */
export interface Row {
  name: string
  unit: string
  ours: Quantiles
  floor: Quantiles
  /** Of the medians, ours to the floor's. */
  ratio: number
  goal?: string
  ok?: boolean
}

/** Does something once; resolves with what is measured. */
export type Act = () => Promise<number>

export interface Race {
  name: string
  unit: string
  /** A row without one is a figure to know. */
  goal: { atMost: number } | { atLeast: number } | undefined
  ours: Act
  floor: Act
  /** Of a full run. Each round has `batch` acts of both. */
  rounds: number
  batch: number
  /** Milliseconds after our turn, for what we do later than the answer. */
  rest?: number
}

export const timed =
  (act: () => Promise<unknown>): Act =>
  async () => {
    const start = performance.now()
    await act()
    return performance.now() - start
  }

export function quantiles(samples: readonly number[]): Quantiles {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

export async function repeat(act: Act, times: number): Promise<number[]> {
  const samples: number[] = []
  for (let i = 0; i < times; i += 1) samples.push(await act())
  return samples
}

export function rowOf(
  { name, unit, goal }: Omit<Race, 'ours' | 'floor' | 'rounds' | 'batch' | 'rest'>,
  ours: number[],
  floor: number[]
): Row {
  const [mine, theirs] = [quantiles(ours), quantiles(floor)]
  const ratio = mine.p50 / theirs.p50
  const row = { name, unit, ours: mine, floor: theirs, ratio }
  if (goal === undefined) return row
  return 'atMost' in goal
    ? { ...row, goal: `≤ ${goal.atMost}`, ok: ratio <= goal.atMost }
    : { ...row, goal: `≥ ${goal.atLeast}`, ok: ratio >= goal.atLeast }
}

/** How much of a full run is measured. */
export interface Scale {
  /** Of the rounds of a full run. */
  part: number
  /** The most acts of a batch, and before the first. */
  batch: number
  waiters: number
  /** Tasks kept where each new one makes room. */
  kept: number
  stored: { many: number; few: number }
  /** The most of each at a time; half as many are the floor. */
  crowd: { tabs: number; running: number; questions: number }
  /** Of the largest arguments. */
  megabytes: number
  /** Tasks that are stored, and that report ten times a second; of one measurement, in ms. */
  devtools: { tasks: number; running: number; span: number }
}

/** `smoke` shows that every race still runs; its figures mean nothing. */
export const scales = {
  full: {
    part: 1,
    batch: Infinity,
    waiters: 1000,
    kept: 1000,
    stored: { many: 100_000, few: 1000 },
    crowd: { tabs: 200, running: 1000, questions: 10_000 },
    megabytes: 64,
    devtools: { tasks: 10_000, running: 100, span: 2000 }
  },
  quick: {
    part: 0.2,
    batch: Infinity,
    waiters: 200,
    kept: 1000,
    stored: { many: 10_000, few: 1000 },
    crowd: { tabs: 40, running: 200, questions: 1000 },
    megabytes: 16,
    devtools: { tasks: 10_000, running: 100, span: 2000 }
  },
  smoke: {
    part: 0.01,
    batch: 2,
    waiters: 10,
    kept: 100,
    stored: { many: 100, few: 10 },
    crowd: { tabs: 4, running: 10, questions: 10 },
    megabytes: 1,
    devtools: { tasks: 100, running: 10, span: 200 }
  }
} satisfies Record<string, Scale>

/** Runs both, in turns; who begins a round changes. */
export async function run(race: Race, scale: Scale): Promise<Row> {
  const rounds = Math.max(2, Math.round(race.rounds * scale.part))
  const batch = Math.min(race.batch, scale.batch)
  const samples = { ours: [] as number[], floor: [] as number[] }
  // Compiled code is what is measured: one that has run often, of both.
  const warm = Math.min(race.batch >= 100 ? 1000 : Math.min(race.batch, 20), scale.batch)
  await repeat(race.floor, warm)
  await repeat(race.ours, warm)
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['ours', 'floor'] as const) : (['floor', 'ours'] as const)
    for (const who of order) {
      samples[who].push(...(await repeat(race[who], batch)))
      if (who === 'ours') await new Promise((resolve) => setTimeout(resolve, race.rest ?? 0))
    }
  }
  return rowOf(race, samples.ours, samples.floor)
}
