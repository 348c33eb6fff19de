/** How the stand-in works a bill out: sums for the calculate tool, by the rules it was given. */
import type { Bill } from './bill.ts'

export interface ShareRule {
  readonly round: 'ceil' | 'floor' | 'round'
  /** In units of money. */
  readonly step: number
  readonly showTotal: boolean
}

const TO_THE_CENT: ShareRule = { round: 'round', step: 0.01, showTotal: false }

const STEP = /\b(\d+(?:\.\d+)?|a|one|full|whole)\s*(cents?|euros?|dollars?|pounds?|francs?|kroner?)\b/i

const stepIn = (rule: string): number | undefined => {
  const [, count = '', unit = ''] = STEP.exec(rule) ?? []
  if (unit === '') return undefined
  const number = Number(count)
  return (Number.isNaN(number) ? 1 : number) / (/^cent/i.test(unit) ? 100 : 1)
}

const FORBIDDEN = /\b(?:never|not|don't)\s+round\w*\s+(?:it\s+|them\s+)?(?:up|down)\b/gi

const roundIn = (rule: string): ShareRule['round'] => {
  const wanted = rule.replace(FORBIDDEN, '')
  return /\bup\b/i.test(wanted) ? 'ceil' : /\bdown\b/i.test(wanted) ? 'floor' : 'round'
}

/** The later rule wins; what it does not speak of stays as it was. */
export const toShareRule = (rules: readonly string[]): ShareRule => {
  const showTotal = rules.some((rule) => /\btotal\b/i.test(rule))
  for (const rule of [...rules].reverse()) {
    const step = /\bround/i.test(rule) ? stepIn(rule) : undefined
    if (step !== undefined && step > 0) return { round: roundIn(rule), step, showTotal }
  }
  return { ...TO_THE_CENT, showTotal }
}

/** The next sum, from the results so far; undefined once everything is worked out. */
export const nextBillSum = ({ amount, people, tipPercent }: Bill, rule: ShareRule, results: readonly number[]): string | undefined => {
  const tipSums = tipPercent > 0 ? 1 : 0
  if (results.length < tipSums) return `${amount} * (1 + ${tipPercent} / 100)`
  const bill = tipSums > 0 ? results[0] : amount
  if (results.length === tipSums) return `${rule.round}(${bill} / ${people}, ${rule.step})`
  if (rule.showTotal && results.length === tipSums + 1) return `${results.at(-1)} * ${people}`
  return undefined
}

const money = (value: number | undefined): string => (value ?? 0).toFixed(2)

export const describeShares = ({ people, tipPercent }: Bill, rule: ShareRule, results: readonly number[]): string => {
  const share = results[tipPercent > 0 ? 1 : 0]
  const each = `Each of the ${people} pays ${money(share)}`
  return rule.showTotal ? `${each}, ${money(results.at(-1))} in total.` : `${each}.`
}
