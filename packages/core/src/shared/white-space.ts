/**
 * White space as in Python Hermes, so that both count and split a home in the same way (reference hermes-memory 1). Unlike `trim()`:
 * includes U+001C–U+001F and U+0085, excludes U+FEFF.
 */
export const WHITE_SPACE = '\\t\\n\\v\\f\\r\\u001c-\\u001f \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

const isWhiteSpace = new RegExp(`^[${WHITE_SPACE}]$`, 'u')

/** Linear in the text. */
export const stripWhiteSpace = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpace.test(text[start] as string)) start++
  while (end > start && isWhiteSpace.test(text[end - 1] as string)) end--
  return text.slice(start, end)
}
