/**
 * Reads events field by field. The core beside this package may be an older or a newer one, whose events have fewer or other fields: what is
 * missing or of another type is `undefined`, never an error.
 */

export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = {}

const MAX_TEXT = 200

/** The fields of an object; none where the value is not one. */
export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : NO_FIELDS)

/** A text that is not empty, cut to 200 characters. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : undefined

/** A finite number from 0 on. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** The items of a list; none where the value is not one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
