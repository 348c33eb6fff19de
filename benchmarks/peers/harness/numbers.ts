/** Percentiles of a list of times. */
export interface Times {
  readonly n: number
  readonly p50: number
  readonly p99: number
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

export const timesOf = (list: readonly number[]): Times => {
  const sorted = list.toSorted((a, b) => a - b)
  return { n: sorted.length, p50: rounded(at(sorted, 0.5)), p99: rounded(at(sorted, 0.99)) }
}

export const median = (list: readonly number[]): number => timesOf(list).p50
