/** Reads untrusted values of hosts, frameworks and providers. Pure; never throws. */

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
