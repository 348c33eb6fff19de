/** Splits a sum into numbers, names and signs. */

export type ArithmeticToken =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string }

const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy
const NAME = /[a-z]+/iy
const SIGN = /[-+*/^(),]/y

/** What models and people also type. */
const OTHER_SIGNS: Readonly<Record<string, string>> = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-' }

const ADVICE: Readonly<Record<string, string>> = {
  '%': ' Write 10 per cent as 0.10.',
  '=': ' Give the sum alone, without a result.',
  "'": ' Write numbers without thousands separators.',
}

export const tokenize = (text: string): readonly ArithmeticToken[] | { readonly problem: string } => {
  const plain = text.replace(/[×·÷−–]/gu, (sign) => OTHER_SIGNS[sign] ?? sign).replaceAll('**', '^')
  const tokens: ArithmeticToken[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(plain)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  for (;;) {
    take(/\s*/y)
    if (at >= plain.length) return tokens
    const digits = take(NUMBER)
    if (digits !== undefined) {
      tokens.push({ kind: 'number', value: Number(digits) })
      continue
    }
    const name = take(NAME)
    const sign = name === undefined ? take(SIGN) : undefined
    if (name !== undefined) tokens.push({ kind: 'name', text: name.toLowerCase() })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else {
      const strange = String.fromCodePoint(plain.codePointAt(at) ?? 0)
      return { problem: `'${strange}' is not understood.${ADVICE[strange] ?? ''}` }
    }
  }
}
