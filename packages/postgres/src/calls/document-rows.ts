/** Values of rows. */
import type { Row } from '../drivers/driver.ts'
import { fromHex } from './hex.ts'

export const textIn = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value === 'string') return value
  throw new TypeError(`The database client returned a ${typeof value} for the text '${column}'. Remove its type parser for texts.`)
}

/** A client's own parser may leave bytes as hexadecimal text. The caller may change them. */
export const bytesIn = (row: Row): Uint8Array => {
  const value = row['bytes']
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (typeof value === 'string' && value.startsWith('\\x')) return fromHex(value.slice(2))
  throw new TypeError('The database client did not return bytes for a column of type bytea. Remove its type parser for it.')
}

export const isTrue = (value: unknown): boolean => value === true || value === 't' || value === 'true'
