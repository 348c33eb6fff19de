/** Values of the host's, of a framework's and of providers', read without trusting that they have a shape. Pure; never throws. */

/** A plain object to look into, or an empty one. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** JSON where the value has any, for a reviewer to read. `replace`: as for `JSON.stringify`. */
export const toJson = (value: unknown, replace?: (key: string, value: unknown) => unknown): string => {
  try {
    return JSON.stringify(value, replace) ?? ''
  } catch {
    return '[not readable]'
  }
}
