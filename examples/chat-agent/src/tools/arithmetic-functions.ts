/** The functions a sum may use; the rounding ones take a step, as in a spreadsheet. */

/** Binary fractions leave crumbs (1.1 * 10 = 11.000000000000002), which would tip a rounding over: 15 digits are exact, the rest is noise. */
export const withoutCrumbs = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(15)) : value)

export interface ArithmeticFunction {
  readonly least: number
  readonly most: number
  readonly apply: (values: readonly number[]) => number
}

const toMultiples = (round: (value: number) => number): ArithmeticFunction => ({
  least: 1,
  most: 2,
  apply: ([value = Number.NaN, step = 1]) => withoutCrumbs(round(withoutCrumbs(value / step)) * step),
})

const ofOne = (apply: (value: number) => number): ArithmeticFunction => ({
  least: 1,
  most: 1,
  apply: ([value = Number.NaN]) => apply(value),
})

const ofMany = (apply: (...values: number[]) => number): ArithmeticFunction => ({
  least: 1,
  most: 100,
  apply: (values) => apply(...values),
})

/** Half goes away from zero, as people do it by hand. */
const roundHalfUp = (value: number): number => Math.sign(value) * Math.floor(Math.abs(value) + 0.5)

export const FUNCTIONS: Readonly<Record<string, ArithmeticFunction>> = {
  ceil: toMultiples(Math.ceil),
  floor: toMultiples(Math.floor),
  round: toMultiples(roundHalfUp),
  abs: ofOne(Math.abs),
  sqrt: ofOne(Math.sqrt),
  min: ofMany(Math.min),
  max: ofMany(Math.max),
}
