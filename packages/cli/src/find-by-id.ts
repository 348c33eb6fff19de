/** Finds one thing by its id or by the short form of it that lists show. */
import type { ArchivedEntry } from '@hermes/core/memory'
import type { Failure } from './answer.ts'
import { oneLine } from './terminal/clean-text.ts'

const SHORT_ID_LENGTH = 8

export const shortId = (id: string): string => oneLine(id).slice(0, SHORT_ID_LENGTH)

export type Found<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: Failure }

/** An exact match wins. `where`: how to list all ids, for the error message. */
export const findById = <T extends { readonly id: string }>(things: readonly T[], id: string, where: string): Found<T> => {
  const matches = things.filter((thing) => thing.id.startsWith(id))
  const found = matches.find((thing) => thing.id === id) ?? (matches.length === 1 && id !== '' ? matches[0] : undefined)
  if (found) return { ok: true, value: found }
  const asked = id.slice(0, 80)
  if (matches.length === 0 || id === '')
    return { ok: false, error: { code: 'not_found', message: `There is no id '${asked}'. '${where}' lists the ids.` } }
  const ids = matches.slice(0, 5).map((match) => match.id)
  const message = `${matches.length} ids begin with '${asked}', such as ${ids.join(', ')}. Give more characters of the one you mean.`
  return { ok: false, error: { code: 'ambiguous', message, details: { candidates: matches.map((match) => match.id) } } }
}

const SHORT_CHARS = 6

/** `user-3fa2c1`; the full id if another one has the same beginning. */
export const shortEntryId = (id: string, among: readonly Pick<ArchivedEntry, 'id'>[]): string => {
  const short = id.slice(0, id.indexOf('-') + 1 + SHORT_CHARS)
  return among.filter((other) => other.id.startsWith(short)).length === 1 ? short : id
}
