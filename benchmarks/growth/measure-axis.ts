/** Measures each operation of an axis at each of its sizes. */
import { collect } from '../soak/take-sample.ts'
import { type Axis, type Operation, type Prepared, ROUNDS } from './axis.ts'
import type { Usage } from './counted-storage.ts'
import { fitExponent } from './fit-exponent.ts'

/** For one operation. */
interface GrowthPoint extends Readonly<Usage> {
  readonly size: number
  /** Of processor time, which other load on the machine distorts least. */
  readonly ms: number
}

export interface GrowthLine {
  readonly axis: string
  readonly operation: string
  /** By size, the smallest first. */
  readonly points: readonly GrowthPoint[]
  /** Of time over size, fitted to all points. */
  readonly exponent: number
  /** Of time over size, between the two largest sizes: what the fit hides if a constant cost is larger at small sizes. */
  readonly lastStep: number
}

const WARM_UP_MS = 3_000

/** The smallest size, again and again: otherwise the compilation of the code would count as a cost of small sizes. */
const warmUp = async ({ sizes: [smallest = 1], prepare }: Axis): Promise<void> => {
  for (const until = performance.now() + WARM_UP_MS; performance.now() < until; ) {
    const prepared = await prepare(smallest)
    for (const operation of prepared.operations) for (let round = 0; round < ROUNDS; round++) await operation.act(round)
    await prepared.close()
  }
}

/** Of the round at the lower quartile of time: a collection or another program only makes a round longer. */
const measure = async ({ act }: Operation, { takeUsage }: Prepared, size: number): Promise<GrowthPoint> => {
  const points: GrowthPoint[] = []
  // What the preparation left must not be collected meanwhile.
  collect()
  for (let round = 0; round < ROUNDS; round++) {
    takeUsage()
    const from = process.cpuUsage()
    await act(round)
    const { user, system } = process.cpuUsage(from)
    const ms = (user + system) / 1_000
    points.push({ size, ms, ...takeUsage() })
  }
  const sorted = points.toSorted((a, b) => a.ms - b.ms)
  const [quartile] = sorted.slice(Math.floor(ROUNDS / 4))
  if (!quartile) throw new Error('Nothing was measured.')
  return quartile
}

/** The exponent of time over size. */
const fitTime = (points: readonly GrowthPoint[]): number => fitExponent(points.map(({ size, ms }) => ({ size, amount: ms })))

export const measureAxis = async (axis: Axis): Promise<readonly GrowthLine[]> => {
  await warmUp(axis)
  const found = new Map<string, GrowthPoint[]>()
  for (const size of axis.sizes) {
    const prepared = await axis.prepare(size)
    for (const operation of prepared.operations) {
      const points = found.get(operation.name) ?? []
      found.set(operation.name, [...points, await measure(operation, prepared, size)])
    }
    await prepared.close()
  }
  return [...found].map(([operation, points]) => ({
    axis: axis.name,
    operation,
    points,
    exponent: fitTime(points),
    lastStep: fitTime(points.slice(-2)),
  }))
}
