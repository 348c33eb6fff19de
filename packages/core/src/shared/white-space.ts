/**
 * White space as in Python Hermes, so that both count and split a home in the same way (reference hermes-memory 1). Unlike `trim()`:
 * includes U+001C–U+001F and U+0085, excludes U+FEFF.
 */
export const WHITE_SPACE = '\\t\\n\\v\\f\\r\\u001c-\\u001f \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

const isWhiteSpace = new RegExp(`^[${WHITE_SPACE}]$`, 'u')

/** Most texts begin and end with a printable ASCII character, which needs no expression. */
const isWhiteSpaceAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return (code <= 0x20 || code > 0x7e) && isWhiteSpace.test(text[at] as string)
}

/** Linear in the text. */
export const stripWhiteSpace = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpaceAt(text, start)) start++
  while (end > start && isWhiteSpaceAt(text, end - 1)) end--
  return text.slice(start, end)
}
