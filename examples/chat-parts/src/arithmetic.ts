/** Works out a sum such as `ceil(84.6 * 1.1 / 4, 0.1)` by reading it, never by running it as code. */

/** Also bounds how deep brackets can nest. */
export const MAX_EXPRESSION_CHARS = 500

class SumError extends Error {}

const fail = (message: string): never => {
  throw new SumError(message)
}

/** Binary fractions leave crumbs (1.1 * 10 = 11.000000000000002), which would tip a rounding over: 15 digits are exact, the rest is noise. */
const withoutCrumbs = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(15)) : value)

/** Rounds to a step, as in a spreadsheet. */
const toMultiples =
  (round: (value: number) => number) =>
  (value = Number.NaN, step = 1): number =>
    withoutCrumbs(round(withoutCrumbs(value / step)) * step)

/** Each with the most values that it takes. */
const FUNCTIONS: Readonly<Record<string, readonly [most: number, apply: (...values: number[]) => number]>> = {
  ceil: [2, toMultiples(Math.ceil)],
  floor: [2, toMultiples(Math.floor)],
  // Half goes away from zero, as people do it by hand.
  round: [2, toMultiples((value) => Math.sign(value) * Math.floor(Math.abs(value) + 0.5))],
  abs: [1, Math.abs],
  sqrt: [1, Math.sqrt],
  min: [100, Math.min],
  max: [100, Math.max],
}

/** Each with how tight it binds; a sign in front of a value binds less than a power and more than the rest. */
const OPERATIONS: Readonly<Record<string, readonly [binds: number, apply: (left: number, right: number) => number]>> = {
  '+': [1, (left, right) => left + right],
  '-': [1, (left, right) => left - right],
  '*': [2, (left, right) => left * right],
  '/': [2, (left, right) => (right === 0 ? fail('It divides by zero.') : left / right)],
  '^': [4, (left, right) => left ** right],
}
const SIGN_IN_FRONT = 3

/** What models and people also type. */
const OTHER_SIGNS: Readonly<Record<string, string>> = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-' }

const ADVICE: Readonly<Record<string, string>> = {
  '%': ' Write 10 per cent as 0.10.',
  '=': ' Give the sum alone, without a result.',
  "'": ' Write numbers without thousands separators.',
}

/** Numbers; names in lower case; signs. */
const tokenize = (text: string): readonly (number | string)[] => {
  const plain = text.replace(/[×·÷−–]/gu, (sign) => OTHER_SIGNS[sign] ?? sign).replaceAll('**', '^')
  const tokens = plain.matchAll(/((?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)|([a-z]+|[-+*/^(),])|(\S)/giu)
  return [...tokens].map(([, digits, sign = '', strange]) => {
    if (strange !== undefined) return fail(`'${strange}' is not understood.${ADVICE[strange] ?? ''}`)
    return digits === undefined ? sign.toLowerCase() : Number(digits)
  })
}

const evaluate = (tokens: readonly (number | string)[]): number => {
  let at = 0
  const close = (value: number): number => (tokens[at++] === ')' ? value : fail("A ')' is missing."))

  const call = (name: string): number => {
    const [most, apply] = (Object.hasOwn(FUNCTIONS, name) && tokens[at] === '(' && FUNCTIONS[name]) || [0]
    if (apply === undefined)
      return fail(`'${name}' is not understood. Use numbers, + - * / ^ ( ) and ${Object.keys(FUNCTIONS).join(', ')}.`)
    const values: number[] = []
    do {
      at++
      values.push(sum(0))
    } while (tokens[at] === ',')
    return values.length > most ? fail(`${name}() takes at most ${most} values.`) : close(apply(...values))
  }

  const operand = (): number => {
    const token = tokens[at++]
    if (token === undefined) return fail('The sum ends too early.')
    if (typeof token === 'number') return token
    if (/^[a-z]/.test(token)) return call(token)
    if (token === '(') return close(sum(0))
    if (token === '-') return -sum(SIGN_IN_FRONT)
    return token === '+' ? sum(SIGN_IN_FRONT) : fail(`A number is missing before '${token}'.`)
  }

  /** Everything that binds tighter than `least`, from here on. */
  const sum = (least: number): number => {
    let value = operand()
    for (;;) {
      const sign = tokens[at] ?? ''
      const [binds, apply] = OPERATIONS[sign] ?? [0]
      if (apply === undefined || binds <= least) return value
      at++
      // A power binds to the right: 2 ^ 3 ^ 2 is 2 ^ 9.
      value = withoutCrumbs(apply(value, sum(sign === '^' ? SIGN_IN_FRONT - 1 : binds)))
    }
  }

  const value = sum(0)
  if (tokens[at] === ',') return fail('Write decimals with a point and numbers without thousands separators, such as 1200.50.')
  if (tokens[at] === ')') return fail("A '(' is missing.")
  if (at < tokens.length) return fail('A sign such as + or * is missing between two values.')
  return Number.isFinite(value) ? value : fail('It has no finite result.')
}

/** A problem is a sentence for the model: what is wrong, and how it is written right. */
export const evaluateArithmetic = (text: string): { readonly value: number } | { readonly problem: string } => {
  if (text.length > MAX_EXPRESSION_CHARS) return { problem: `The sum is longer than ${MAX_EXPRESSION_CHARS} characters. Split it up.` }
  if (text.trim() === '') return { problem: 'The sum is empty. Give one such as (84.60 + 12) / 3.' }
  try {
    return { value: evaluate(tokenize(text)) }
  } catch (error) {
    if (error instanceof SumError) return { problem: error.message }
    throw error
  }
}
