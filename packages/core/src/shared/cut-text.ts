/** Limits texts from outside. Pure. */

/** Maximum UTF-16 units kept of one tool result or attached text; its beginning is the most informative part. */
export const MAX_OUTSIDE_CHARS = 8_000

/** The beginning of a text from outside, with a mark if it was cut. */
export const cutText = (text: string): string => {
  if (text.length <= MAX_OUTSIDE_CHARS) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(MAX_OUTSIDE_CHARS - 1)) ? MAX_OUTSIDE_CHARS - 1 : MAX_OUTSIDE_CHARS
  return `${text.slice(0, end)}\n[cut: ${text.length - end} more characters]`
}
