/** Removes English inflection and common endings from a folded word. Words of other languages lose at most a plural or a final vowel, in texts and searches alike. */

const LATIN = /^[a-z]{4,}$/
const VOWEL = /[aeiouy]/
const DOUBLED = /([bdgmnprt])\1$/

const withoutPlural = (word: string): string => {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return /[^aious]s$|[^u]es$/.test(word) ? word.slice(0, -1) : word
}

const withoutTense = (word: string): string => {
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`
  const [, base = ''] = /^(.{3,})(?:ing|ed)$/.exec(word) ?? []
  if (!VOWEL.test(base)) return word
  return DOUBLED.test(base) ? base.slice(0, -1) : base
}

/** Longest first. */
const ENDINGS =
  /^(.{4,}?)(?:ations?|ments?|ness|fully?|tional|ional|ively?|ingly|edly|able|ible|ally|ance|ence|ion|ist|ity|ous|ly|er|or|al|ic|(?<![aeiou])y)$/

/** A word with a digit, or of another script, stays as it is. */
export const stem = (word: string): string => {
  if (!LATIN.test(word)) return word
  const base = withoutTense(withoutPlural(word))
  const [, cut = base] = ENDINGS.exec(base) ?? []
  const root = cut !== base && DOUBLED.test(cut) ? cut.slice(0, -1) : cut
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root
}
