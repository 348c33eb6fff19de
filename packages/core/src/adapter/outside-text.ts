/** Text that comes from outside a conversation, cut to what a reviewer reads. Pure. */

/** Longest text kept of one tool result or attached text, in UTF-16 units; what a reviewer may learn from a result stands near its start. */
export const MAX_OUTSIDE_CHARS = 8_000

export const cutText = (text: string): string => {
  if (text.length <= MAX_OUTSIDE_CHARS) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(MAX_OUTSIDE_CHARS - 1)) ? MAX_OUTSIDE_CHARS - 1 : MAX_OUTSIDE_CHARS
  return `${text.slice(0, end)}\n[cut: ${text.length - end} more characters]`
}
