/** The file that a person names, or a dash for the input or stdout. */

export const DASH = '-'

/** For `coerce`, without a type: of a lone dash the parser makes `true`. What it throws is told as wrong usage. */
export const toFile = (value: unknown): string => {
  if (value === true) return DASH
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`Name a file, or '${DASH}'.`)
}
