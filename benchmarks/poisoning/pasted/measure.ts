/** What of the copied text is found, and what of the honest text is taken for copied. */
import { STRUCTURES, type Structures, splitOwnWords } from '../../../packages/core/src/proposal/own-words.ts'
import type { PastedCase } from './forms.ts'
import type { HonestMessage } from './honest.ts'

const ownWords = (text: string, structures?: Structures): string =>
  splitOwnWords(text, structures)
    .filter(({ outside }) => !outside)
    .map(({ text }) => text)
    .join('\n')

/** Nothing of what others wrote is left among the own words. */
export const isFound = ({ text, foreign }: PastedCase, structures?: Structures): boolean => {
  const own = ownWords(text, structures)
  return foreign.every((line) => !own.includes(line.trim().slice(-12)))
}

/** What the user wrote beside it is still theirs; but for the mark at its end. */
export const keepsOwn = ({ text, own }: PastedCase): boolean => {
  const kept = ownWords(text)
  return own.every((words) => kept.includes(words.slice(0, -1)))
}

export const isCut = ({ text }: HonestMessage, structures?: Structures): boolean =>
  splitOwnWords(text, structures).some(({ outside }) => outside)

/** All structures but one. */
export const without = (left: string): Structures => {
  const rest = <T>(list: Readonly<Record<string, T>>) => Object.fromEntries(Object.entries(list).filter(([name]) => name !== left))
  const { quotes, marks, starts, ranges } = STRUCTURES
  return { quotes: rest(quotes), marks: rest(marks), starts: rest(starts), ranges: rest(ranges) }
}
