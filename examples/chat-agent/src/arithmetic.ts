/** Works out a sum such as `ceil(84.6 * 1.1 / 4, 0.1)` by reading it, never by running it as code. */
import { FUNCTIONS, withoutCrumbs } from './arithmetic-functions.ts'
import { tokenize } from './arithmetic-tokens.ts'

export type ArithmeticResult = { readonly value: number } | { readonly problem: string }

/** Also bounds how deep brackets can nest. */
export const MAX_EXPRESSION_CHARS = 500

/** Higher binds tighter. */
const PRECEDENCE: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 4 }
const OF_A_SIGN_IN_FRONT = 3

const OPERATIONS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '^': (left, right) => left ** right,
}

/** A problem is a sentence for the model: what is wrong, and how it is written right. */
export const evaluateArithmetic = (text: string): ArithmeticResult => {
  if (text.length > MAX_EXPRESSION_CHARS) return { problem: `The sum is longer than ${MAX_EXPRESSION_CHARS} characters. Split it up.` }
  const tokens = tokenize(text)
  if ('problem' in tokens) return tokens
  if (tokens.length === 0) return { problem: 'The sum is empty. Give one such as (84.60 + 12) / 3.' }

  let at = 0
  let problem: string | undefined
  /** The first problem is the one that is told; the rest of the sum is skipped. */
  const fail = (message: string): number => {
    problem ??= message
    at = tokens.length
    return Number.NaN
  }
  const nextSign = (): string | undefined => {
    const token = tokens[at]
    return token?.kind === 'sign' ? token.text : undefined
  }
  const isNext = (...signs: readonly string[]): boolean => signs.includes(nextSign() ?? '')
  const close = (value: number): number => {
    if (!isNext(')')) return fail("A ')' is missing.")
    at++
    return value
  }

  const call = (name: string): number => {
    const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
    if (known === undefined || !isNext('(')) {
      return fail(`'${name}' is not understood. Use numbers, + - * / ^ ( ) and ${Object.keys(FUNCTIONS).join(', ')}.`)
    }
    const values: number[] = []
    do {
      at++
      values.push(sum(0))
    } while (isNext(','))
    if (values.length < known.least || values.length > known.most) return fail(`${name}() takes ${known.most} values at most.`)
    return close(known.apply(values))
  }

  const operand = (): number => {
    const token = tokens[at++]
    if (token === undefined) return fail('The sum ends too early.')
    if (token.kind === 'number') return token.value
    if (token.kind === 'name') return call(token.text)
    if (token.text === '(') return close(sum(0))
    if (token.text === '-') return -sum(OF_A_SIGN_IN_FRONT)
    if (token.text === '+') return sum(OF_A_SIGN_IN_FRONT)
    return fail(`A number is missing before '${token.text}'.`)
  }

  /** Everything that binds tighter than `least`, from here on. */
  const sum = (least: number): number => {
    let value = operand()
    for (;;) {
      const sign = nextSign() ?? ''
      const precedence = PRECEDENCE[sign] ?? 0
      const operate = OPERATIONS[sign]
      if (operate === undefined || precedence <= least) return value
      at++
      // A power binds to the right: 2 ^ 3 ^ 2 is 2 ^ 9.
      const right = sum(sign === '^' ? OF_A_SIGN_IN_FRONT - 1 : precedence)
      if (sign === '/' && right === 0) return fail('It divides by zero.')
      value = withoutCrumbs(operate(value, right))
    }
  }

  const value = sum(0)
  if (problem === undefined && at < tokens.length) {
    fail(
      isNext(',')
        ? 'Write decimals with a point and numbers without thousands separators, such as 1200.50.'
        : isNext(')')
          ? "A '(' is missing."
          : 'A sign such as + or * is missing between two values.',
    )
  }
  if (problem !== undefined) return { problem }
  return Number.isFinite(value) ? { value } : { problem: 'It has no finite result.' }
}
