/** Estimates tokens without a tokenizer: a token is four ASCII characters, two of another alphabet, one of any other script, or half a character beyond the BMP. */

/** A unit is a quarter token, so that sums stay exact. */
export const UNITS_PER_TOKEN = 4

export const unitsOfCodePoint = (codePoint: number): number => (codePoint < 0x80 ? 1 : codePoint < 0x2e80 ? 2 : codePoint < 0x10000 ? 4 : 8)

export const countUnits = (text: string): number => {
  let units = 0
  for (const character of text) units += unitsOfCodePoint(character.codePointAt(0) ?? 0)
  return units
}

export const estimateTokens = (text: string): number => Math.ceil(countUnits(text) / UNITS_PER_TOKEN)
