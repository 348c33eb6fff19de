/** Works out a sum such as `ceil(84.6 * 1.1 / 4, 0.1)` by reading it, never by running it as code. */

export type ArithmeticResult = { readonly value: number } | { readonly problem: string }

/** Also bounds how deep brackets can nest. */
export const MAX_EXPRESSION_CHARS = 500

class SumError extends Error {}

const fail = (message: string): never => {
  throw new SumError(message)
}

/** Binary fractions leave crumbs (1.1 * 10 = 11.000000000000002), which would tip a rounding over: 15 digits are exact, the rest is noise. */
const withoutCrumbs = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(15)) : value)

interface SumFunction {
  readonly most: number
  readonly apply: (...values: number[]) => number
}

/** Rounds to a step, as in a spreadsheet. */
const toMultiples = (round: (value: number) => number): SumFunction => ({
  most: 2,
  apply: (value = Number.NaN, step = 1) => withoutCrumbs(round(withoutCrumbs(value / step)) * step),
})

const FUNCTIONS: Readonly<Record<string, SumFunction>> = {
  ceil: toMultiples(Math.ceil),
  floor: toMultiples(Math.floor),
  // Half goes away from zero, as people do it by hand.
  round: toMultiples((value) => Math.sign(value) * Math.floor(Math.abs(value) + 0.5)),
  abs: { most: 1, apply: Math.abs },
  sqrt: { most: 1, apply: Math.sqrt },
  min: { most: 100, apply: Math.min },
  max: { most: 100, apply: Math.max },
}

/** Higher binds tighter. */
const OPERATIONS: Readonly<Record<string, { readonly binds: number; readonly apply: (left: number, right: number) => number }>> = {
  '+': { binds: 1, apply: (left, right) => left + right },
  '-': { binds: 1, apply: (left, right) => left - right },
  '*': { binds: 2, apply: (left, right) => left * right },
  '/': { binds: 2, apply: (left, right) => (right === 0 ? fail('It divides by zero.') : left / right) },
  '^': { binds: 4, apply: (left, right) => left ** right },
}
const SIGN_IN_FRONT_BINDS = 3

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
  const pattern = /\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)|([a-z]+|[-+*/^(),])|$)/iy
  const tokens: (number | string)[] = []
  while (pattern.lastIndex < plain.length) {
    const rest = plain.slice(pattern.lastIndex)
    const [found, digits, sign] = pattern.exec(plain) ?? []
    if (found === undefined) {
      const [strange = ''] = rest.trimStart()
      return fail(`'${strange}' is not understood.${ADVICE[strange] ?? ''}`)
    }
    if (digits !== undefined) tokens.push(Number(digits))
    else if (sign !== undefined) tokens.push(sign.toLowerCase())
  }
  return tokens
}

const evaluate = (tokens: readonly (number | string)[]): number => {
  let at = 0
  const close = (value: number): number => (tokens[at++] === ')' ? value : fail("A ')' is missing."))

  const call = (name: string): number => {
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
    if (known === undefined || tokens[at] !== '(')
      return fail(`'${name}' is not understood. Use numbers, + - * / ^ ( ) and ${Object.keys(FUNCTIONS).join(', ')}.`)
    const values: number[] = []
    do {
      at++
      values.push(sum(0))
    } while (tokens[at] === ',')
    if (values.length > known.most) return fail(`${name}() takes ${known.most} values at most.`)
    return close(known.apply(...values))
  }

  const operand = (): number => {
    const token = tokens[at++]
    if (token === undefined) return fail('The sum ends too early.')
    if (typeof token === 'number') return token
    if (/^[a-z]/.test(token)) return call(token)
    if (token === '(') return close(sum(0))
    if (token === '-') return -sum(SIGN_IN_FRONT_BINDS)
    return token === '+' ? sum(SIGN_IN_FRONT_BINDS) : fail(`A number is missing before '${token}'.`)
  }

  /** Everything that binds tighter than `least`, from here on. */
  const sum = (least: number): number => {
    let value = operand()
    for (;;) {
      const sign = tokens[at] ?? ''
      const operation = OPERATIONS[sign]
      if (operation === undefined || operation.binds <= least) return value
      at++
      // A power binds to the right: 2 ^ 3 ^ 2 is 2 ^ 9.
      value = withoutCrumbs(operation.apply(value, sum(sign === '^' ? SIGN_IN_FRONT_BINDS - 1 : operation.binds)))
    }
  }

  const value = sum(0)
  if (tokens[at] === ',') return fail('Write decimals with a point and numbers without thousands separators, such as 1200.50.')
  if (tokens[at] === ')') return fail("A '(' is missing.")
  if (at < tokens.length) return fail('A sign such as + or * is missing between two values.')
  return Number.isFinite(value) ? value : fail('It has no finite result.')
}

/** A problem is a sentence for the model: what is wrong, and how it is written right. */
export const evaluateArithmetic = (text: string): ArithmeticResult => {
  if (text.length > MAX_EXPRESSION_CHARS) return { problem: `The sum is longer than ${MAX_EXPRESSION_CHARS} characters. Split it up.` }
  if (text.trim() === '') return { problem: 'The sum is empty. Give one such as (84.60 + 12) / 3.' }
  try {
    return { value: evaluate(tokenize(text)) }
  } catch (error) {
    if (error instanceof SumError) return { problem: error.message }
    throw error
  }
}
