/**
 * White space as in Python Hermes, so that both count and split a home in the same way (reference hermes-memory 1). Unlike `trim()`:
 * includes U+001C–U+001F and U+0085, excludes U+FEFF.
 */
export const WHITE_SPACE = '\\t\\n\\v\\f\\r\\u001c-\\u001f \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

const RARE = [0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]

/** As `WHITE_SPACE`; a file may have millions. */
const isWhiteSpaceAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  if (code <= 0x7e) return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x1c && code <= 0x1f)
  return (code >= 0x2000 && code <= 0x200a) || RARE.includes(code)
}

/** Linear in the text. */
export const stripWhiteSpace = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpaceAt(text, start)) start++
  while (end > start && isWhiteSpaceAt(text, end - 1)) end--
  return text.slice(start, end)
}
