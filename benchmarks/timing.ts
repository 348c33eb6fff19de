/** Times of things that take turns, so that a busy machine is equally busy for each: read the ratios. */
import { type Cell, table } from './report.ts'

export const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN

/** Milliseconds. */
export const timed = async (act: () => unknown): Promise<number> => {
  const start = performance.now()
  await act()
  return performance.now() - start
}

export interface Candidate {
  readonly act: (round: number) => unknown
  /** Unmeasured, before and after each. */
  readonly before?: () => unknown
  readonly after?: (round: number) => unknown
}

export type Times = ReadonlyMap<string, readonly number[]>

export const takeTurns = async (candidates: Readonly<Record<string, Candidate>>, rounds: number, warmUp: number): Promise<Times> => {
  const times = new Map(Object.keys(candidates).map((name) => [name, [] as number[]]))
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [name, { act, before, after }] of Object.entries(candidates)) {
      await before?.()
      const took = await timed(() => act(round))
      await after?.(round)
      if (round >= warmUp) times.get(name)?.push(took)
    }
  }
  return times
}

/** The tenth percentile is what a busy machine distorts least. */
export const timesTable = (title: string, times: Times): string => {
  const [first = []] = times.values()
  const rows = [...times].map(([name, each]): readonly Cell[] => {
    const [low, half, late] = [0.1, 0.5, 0.99].map((share) => percentile(each, share).toFixed(3))
    return [name, low ?? '', half ?? '', late ?? '', `${(percentile(each, 0.5) / percentile(first, 0.5)).toFixed(2)} ×`]
  })
  return table([title, 'p10 ms', 'p50 ms', 'p99 ms', 'p50 ÷ the first'], rows)
}
