/** Bills as a person puts them (`split 84.60 among 4 with a 10% tip`), the rules laid down for them, and the sums they take. */

export interface Bill {
  readonly amount: number
  readonly people: number
  /** 0 = none. */
  readonly tipPercent: number
}

const SPLIT =
  /\b(?:split|divide|share)\b[^\d\n]*(\d+(?:[.,]\d{1,2})?)[^\d\n]*?\b(?:among(?:st)?|between|for|by|with|across|into?)\s+(?:the\s+)?(\d+)\b(?!\s*(?:%|per ?cent))/i
const WAYS = /(\d+(?:[.,]\d{1,2})?)[^\d\n]*?\b(?:split|divided|shared)\b[^\d\n]*?(\d+)/i
const TIP = /(\d+(?:[.,]\d+)?)\s*(?:%|per ?cent)/i

const toNumber = (text: string | undefined): number => Number((text ?? '').replace(',', '.'))

/** Undefined: no bill in it. */
export const readBill = (text: string): Bill | undefined => {
  const [, amount, people] = SPLIT.exec(text) ?? WAYS.exec(text) ?? []
  const bill = { amount: toNumber(amount), people: toNumber(people), tipPercent: toNumber(TIP.exec(text)?.[1] ?? '0') }
  return bill.amount > 0 && bill.people > 0 ? bill : undefined
}

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

const LEAD_IN = /^(?:no|please|ok|okay|and|but|also|next time|in future|from now on|remember)[,.:!]?\s+/i
const RULE = /^(?:please\s+)?(?:always|never|every time|whenever)\b/i
const FOR_GOOD = /\b(?:from now on|in future|next time)\b/i

const withoutLeadIns = (sentence: string): string => {
  const shorter = sentence.replace(LEAD_IN, '')
  return shorter === sentence ? sentence : withoutLeadIns(shorter)
}

/** Each sentence that is one, in the person's exact words but for the full stop. */
export const standingRules = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => !sentence.endsWith('?') && (RULE.test(withoutLeadIns(sentence)) || FOR_GOOD.test(sentence)))
    .map((sentence) => sentence.replace(/[.!]+$/, ''))
