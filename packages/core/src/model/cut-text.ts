/** Shortens text at character boundaries and marks the cut. */
import { countUnits, unitsOfCodePoint } from './token-estimate.ts'

const CUT_MARK = ' […] '

/** Keeps the beginning: at most `maxCodePoints`, including the mark. */
export const cutEnd = (text: string, maxCodePoints: number): string => {
  // A code point has at most two UTF-16 units, so a huge text need not be split entirely.
  const characters = Array.from(text.slice(0, 2 * maxCodePoints + 2))
  if (characters.length <= maxCodePoints) return text
  return `${characters.slice(0, maxCodePoints - 4).join('')} […]`
}

const takeFrom = (characters: Iterable<string>, maxUnits: number): number => {
  let units = 0
  let length = 0
  for (const character of characters) {
    units += unitsOfCodePoint(character.codePointAt(0) ?? 0)
    if (units > maxUnits) break
    length += character.length
  }
  return length
}

/** Keeps the beginning and the end: at most `maxUnits` quarter tokens, including the mark. `''` if not even the mark fits. */
export const cutMiddle = (text: string, maxUnits: number): string => {
  // Every UTF-16 unit counts at least one quarter token, so a longer text need not be counted.
  if (text.length <= maxUnits && countUnits(text) <= maxUnits) return text
  const room = maxUnits - countUnits(CUT_MARK)
  if (room < 0) return ''
  const half = Math.floor(room / 2)
  const head = text.slice(0, takeFrom(text.slice(0, half + 1), half))
  const tail = takeFrom(Array.from(text.slice(Math.max(head.length, text.length - half - 1))).reverse(), half)
  return `${head}${CUT_MARK}${tail === 0 ? '' : text.slice(text.length - tail)}`
}
