/** Decides by words alone whether a text contains a fact, so that no model judges a model. Pure. */
import type { FactPattern } from './scenario.ts'

/** Lower case, without accents and typographic quotes, white space as single spaces. */
const normalise = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[‘’]/g, "'").replace(/\s+/g, ' ').toLowerCase()

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const NOT_BEFORE = '(?<![\\p{L}\\p{N}])'
const NOT_AFTER = '(?![\\p{L}\\p{N}])'

const formPattern = (form: string): string => {
  const [isEnd, isBeginning] = [form.startsWith('*'), form.endsWith('*')]
  const text = escapeRegExp(form.slice(isEnd ? 1 : 0, isBeginning ? -1 : undefined))
  return `${isEnd ? '' : NOT_BEFORE}${text}${isBeginning ? '' : NOT_AFTER}`
}

/**
 * `word`: alternatives separated by `|`, each one or more whole words. A `*` at the start or end lets the word continue there, which is
 * also how scripts without spaces are matched. Ignores case and accents.
 */
export const holdsWord = (text: string, word: string): boolean =>
  new RegExp(normalise(word).split('|').map(formPattern).join('|'), 'u').test(normalise(text))

export const holdsFact = (text: string, { all, none = [] }: FactPattern): boolean =>
  all.every((word) => holdsWord(text, word)) && !none.some((word) => holdsWord(text, word))
