/** Measures each operation of an axis at each of its sizes. */
import type { Axis, Operation, Prepared } from './axes.ts'
import type { Usage } from './counted-storage.ts'

/** For one operation. */
export interface GrowthPoint extends Readonly<Usage> {
  readonly size: number
  /** Of processor time, which other load on the machine distorts least. */
  readonly ms: number
}

export interface GrowthLine {
  readonly axis: string
  readonly operation: string
  readonly points: readonly GrowthPoint[]
  /** Of time over size, between the two largest sizes. */
  readonly exponent: number
}

const ROUNDS = 9

/** Of the round in the middle, by time. */
const measure = async ({ act }: Operation, { takeUsage }: Prepared, size: number): Promise<GrowthPoint> => {
  const points: GrowthPoint[] = []
  for (let round = 0; round < ROUNDS; round++) {
    takeUsage()
    const from = process.cpuUsage()
    await act(round)
    const { user, system } = process.cpuUsage(from)
    const ms = (user + system) / 1_000
    points.push({ size, ms, ...takeUsage() })
  }
  const sorted = points.toSorted((a, b) => a.ms - b.ms)
  const [middle] = sorted.slice(Math.floor(ROUNDS / 2))
  if (!middle) throw new Error('Nothing was measured.')
  return middle
}

const exponentOf = (points: readonly GrowthPoint[]): number => {
  const [before, last] = points.slice(-2)
  return before && last ? Math.log(last.ms / before.ms) / Math.log(last.size / before.size) : 0
}

export const measureAxis = async ({ name, sizes, prepare }: Axis): Promise<readonly GrowthLine[]> => {
  const found = new Map<string, GrowthPoint[]>()
  for (const size of sizes) {
    const prepared = await prepare(size)
    for (const operation of prepared.operations) {
      const points = found.get(operation.name) ?? []
      found.set(operation.name, [...points, await measure(operation, prepared, size)])
    }
    await prepared.close()
  }
  return [...found].map(([operation, points]) => ({ axis: name, operation, points, exponent: exponentOf(points) }))
}
