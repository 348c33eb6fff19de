/** What tokens cost, as the user says it. No list of prices is shipped: they change. */
import { textOption } from '../arguments.ts'
import { formatCount } from '../terminal/format.ts'

/** Dollars per million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

interface Tokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

const MILLION = 1_000_000

const AMOUNT = String.raw`\d{1,6}(?:\.\d{1,6})?`
const PRICE = new RegExp(`^(${AMOUNT})/(${AMOUNT})$`)

/** Of `3/15`; undefined for any other text. */
export const readPrice = (text: string): Price | undefined => {
  const [, input, output] = PRICE.exec(text) ?? []
  return input === undefined || output === undefined ? undefined : { input: Number(input), output: Number(output) }
}

export const PRICE_OPTION = {
  coerce: textOption((text): Price => {
    const price = readPrice(text)
    if (price) return price
    throw new Error(`--price takes dollars per million tokens in and out, such as 3/15 or 0.25/2, not '${text}'.`)
  }),
  requiresArg: true,
  describe: 'dollars per million tokens in and out, such as 3/15, to show the price too',
} as const

export const dollarsOf = ({ inputTokens, outputTokens }: Tokens, { input, output }: Price): number =>
  (inputTokens * input + outputTokens * output) / MILLION

/** `about $0.42`; a part of the input that comes from a cache may cost less. */
export const describeDollars = (tokens: Tokens, price: Price): string => {
  const dollars = dollarsOf(tokens, price)
  return dollars < 0.01 ? 'less than $0.01' : `about $${dollars < 1_000 ? dollars.toFixed(2) : formatCount(dollars)}`
}

/** `3/15 per million`. */
export const describePrice = ({ input, output }: Price): string => `${input}/${output} per million`
