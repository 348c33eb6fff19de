/**
 * Reads events field by field. The installed core may be older or newer and have other fields: a missing field or one of another type is
 * `undefined`, never an error.
 */

export type Fields = Readonly<Record<string, unknown>>

const NO_FIELDS: Fields = {}

const MAX_TEXT = 200

/** The fields of an object; none if the value is not an object. */
export const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : NO_FIELDS)

/** A non-empty string, cut to 200 characters. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : undefined

/** A finite number of at least 0. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** The items of a list; none if the value is not a list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
