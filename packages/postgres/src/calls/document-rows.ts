/** Rows of the table of documents as documents. */
import type { StoredDocument } from '@hermes/core/storage'
import type { Row } from '../drivers/driver.ts'
import { fromHex } from './hex.ts'

/** A document with the versions it had before, the newest first. */
export interface DocumentState {
  readonly document: StoredDocument
  readonly trail: readonly string[]
}

export const COLUMNS = 'path, bytes, executable, version::text as version, trail::text as trail'

export const textIn = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value === 'string') return value
  throw new TypeError(`The database client returned a ${typeof value} for the text '${column}'. Remove its type parser for texts.`)
}

/** A client's own parser may leave bytes as hexadecimal text. */
const bytesIn = (row: Row): Uint8Array => {
  const value = row['bytes']
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (typeof value === 'string' && value.startsWith('\\x')) return fromHex(value.slice(2))
  throw new TypeError('The database client did not return bytes for a column of type bytea. Remove its type parser for it.')
}

const isTrue = (value: unknown): boolean => value === true || value === 't' || value === 'true'

export const toDocumentState = (row: Row): DocumentState => ({
  document: { bytes: bytesIn(row), version: textIn(row, 'version'), ...(isTrue(row['executable']) ? { executable: true } : {}) },
  trail: textIn(row, 'trail')
    .replace(/[{}]/g, '')
    .split(',')
    .filter((version) => version !== ''),
})

export const copyOf = (document: StoredDocument): StoredDocument => ({ ...document, bytes: document.bytes.slice() })
