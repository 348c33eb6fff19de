/** How an amount grows with a size. Pure. */

/** Both above 0. */
export interface SizedAmount {
  readonly size: number
  readonly amount: number
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** The `k` of `amount ∝ size^k` that fits best, by least squares of the logarithms: 0 = constant, 1 = linear. Needs two sizes; 0 with fewer. */
export const fitExponent = (points: readonly SizedAmount[]): number => {
  const [sizes, amounts] = [points.map(({ size }) => Math.log(size)), points.map(({ amount }) => Math.log(amount))]
  const [meanSize, meanAmount] = [meanOf(sizes), meanOf(amounts)]
  const spread = sizes.reduce((sum, size) => sum + (size - meanSize) ** 2, 0)
  if (!(spread > 0)) return 0
  return sizes.reduce((sum, size, index) => sum + (size - meanSize) * ((amounts[index] ?? meanAmount) - meanAmount), 0) / spread
}
