/** Reads untrusted values of hosts, frameworks and providers, and cuts long texts. Pure; never throws. */

/** The value if it is a plain object, otherwise an empty one. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** JSON of the value if possible, for a reviewer. `replace`: as for `JSON.stringify`. */
export const toJson = (value: unknown, replace?: (key: string, value: unknown) => unknown): string => {
  try {
    return JSON.stringify(value, replace) ?? ''
  } catch {
    return '[not readable]'
  }
}

/** Maximum UTF-16 units kept of one tool result or attached text; its beginning is the most informative part. */
export const MAX_OUTSIDE_CHARS = 8_000

/** The beginning of a text from outside, with a mark if it was cut. */
export const cutText = (text: string): string => {
  if (text.length <= MAX_OUTSIDE_CHARS) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(MAX_OUTSIDE_CHARS - 1)) ? MAX_OUTSIDE_CHARS - 1 : MAX_OUTSIDE_CHARS
  return `${text.slice(0, end)}\n[cut: ${text.length - end} more characters]`
}
