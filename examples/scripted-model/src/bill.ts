/** A bill to be split, as a person puts it: `split 84.60 among 4 with a 10% tip`. */

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
