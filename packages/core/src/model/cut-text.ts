/** Shortens text between characters, never inside one, and says so. */
import { countUnits, unitsOfCodePoint } from './token-estimate.ts'

const CUT_MARK = ' […] '

/** At most so many code points, the mark included. */
export const cutEnd = (text: string, maxCodePoints: number): string => {
  // Twice as many UTF-16 units hold them in any case, so a giant text is not spread out whole.
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

/** Beginning and end of a text, at most so many units together with the mark; `''` where not even the mark fits. */
export const cutMiddle = (text: string, maxUnits: number): string => {
  // No character takes less than half a unit per UTF-16 unit, so a longer text is too long without counting it.
  if (text.length <= maxUnits && countUnits(text) <= maxUnits) return text
  const room = maxUnits - countUnits(CUT_MARK)
  if (room < 0) return ''
  const half = Math.floor(room / 2)
  const head = text.slice(0, takeFrom(text.slice(0, half + 1), half))
  const tail = takeFrom(Array.from(text.slice(Math.max(head.length, text.length - half - 1))).reverse(), half)
  return `${head}${CUT_MARK}${tail === 0 ? '' : text.slice(text.length - tail)}`
}
