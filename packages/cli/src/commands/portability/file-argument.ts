/** A file name from the command line, or `-` for stdin or stdout. */

export const DASH = '-'

/** For `coerce`, without a type, since the parser turns a lone `-` into `true`. The parser reports what it throws as wrong usage. */
export const toFile = (value: unknown): string => {
  if (value === true) return DASH
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`Name a file, or '${DASH}'.`)
}
