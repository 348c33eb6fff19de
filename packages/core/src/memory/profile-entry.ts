/**
 * The document of the profile: JSON, an object of fields. Each field is an entry of a store, such as `diet: "vegan"`, so that the gate, the archive, provenance and undo
 * treat it as any other. Pure.
 */
import { parseBoundedJson } from '../shared/bounded-json.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { isData, parseJson } from '../shared/json-texts.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { MemoryOp } from './memory-op.ts'

export interface ProfileField {
  readonly field: string
  /** JSON. */
  readonly value: unknown
}

const SEPARATOR = ': '

/** Keys that could reach a prototype. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Why a profile can have no field of this name; undefined if it can. */
export const fieldNameFault = (field: string): string | undefined => {
  if (FORBIDDEN.has(field)) return `'${field}' is no name of a field, since it could reach the prototype of an object`
  return /^[^\s:"](?:[^\n\r:"]{0,62}[^\s:"])?$/u.test(field)
    ? undefined
    : `'${field.slice(0, 80)}' is no name of a field: it has 1 to 64 characters, no colon, quotation mark or line break, and no space at its ends`
}

/** A text is between quotation marks as it is, without escapes, so that the threat scan, an erasure and a person read the text itself. */
const toProfileEntry = ({ field, value }: ProfileField): string =>
  `${field}${SEPARATOR}${typeof value === 'string' ? `"${value.replace(/\r\n?/g, '\n')}"` : JSON.stringify(value)}`

/** Undefined for a text that is no entry of a profile as `toProfileEntry` writes it. */
export const parseProfileEntry = (entry: string): ProfileField | undefined => {
  const at = entry.indexOf(SEPARATOR)
  if (at < 0) return undefined
  const field = entry.slice(0, at)
  const text = entry.slice(at + SEPARATOR.length)
  const value = /^".*"$/s.test(text) ? text.slice(1, -1) : parseJson(text)
  return value !== undefined && fieldNameFault(field) === undefined && toProfileEntry({ field, value }) === entry
    ? { field, value }
    : undefined
}

/** The values of a profile, by field. */
export type ProfileValues = Readonly<Record<string, unknown>>

export const profileValues = (entries: readonly string[]): ProfileValues =>
  Object.fromEntries(entries.flatMap((entry) => parseProfileEntry(entry) ?? []).map(({ field, value }) => [field, value]))

/** The texts of a value, as the user may have said them: `vegan` for `"vegan"`. */
export const spokenValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(spokenValue).join(', ')
  if (isData(value)) return Object.values(value).map(spokenValue).join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const LIMITS = { maxBytes: 131_072, maxValues: 5_000 }

/** More than the limit of characters has room for. */
const MAX_FIELDS = 500

const unreadable = (path: string, why: string): Result<never> => {
  const message = `'${path}' ${why}, so it was left as it is. It holds one JSON object with the fields of the profile: repair it, or move it away, then retry.`
  return err(new HermesError('unreadable', message, { details: { path } }))
}

/** No entries if there are no bytes. `unreadable` for anything but an object of fields, which a rewrite would lose. */
export const decodeProfile = (
  path: string,
  bytes: Uint8Array | undefined,
): Result<{ entries: readonly string[]; hasCosmeticDrift: false }> => {
  if (bytes === undefined || bytes.length === 0) return ok({ entries: [], hasCosmeticDrift: false })
  const parsed = parseBoundedJson(bytes, LIMITS)
  if (!parsed.ok) return unreadable(path, parsed.error.message)
  if (!isData(parsed.value)) return unreadable(path, 'is no JSON object')
  const fields = Object.entries(parsed.value)
  if (fields.length > MAX_FIELDS) return unreadable(path, `has ${fields.length} fields, more than the ${MAX_FIELDS} that can be read`)
  const fault = fields.map(([field]) => fieldNameFault(field)).find((each) => each !== undefined)
  if (fault !== undefined) return unreadable(path, `has a field of another kind: ${fault}`)
  return ok({ entries: fields.map(([field, value]) => toProfileEntry({ field, value })), hasCosmeticDrift: false })
}

export const encodeProfile = (entries: readonly string[]): string => `${JSON.stringify(profileValues(entries), null, 2)}\n`

/** The operation that gives a field this value, or takes it away if there is none. Undefined if there is nothing to take away. */
export const toFieldOp = (entries: readonly string[], field: string, value: unknown): MemoryOp | undefined => {
  const present = entries.find((entry) => parseProfileEntry(entry)?.field === field)
  if (value === undefined) return present === undefined ? undefined : { action: 'remove', oldText: present }
  const content = toProfileEntry({ field, value })
  return present === undefined || present === content ? { action: 'add', content } : { action: 'replace', oldText: present, content }
}

/** The same operations on the entries as they are now: those of a proposal that waited name them as they were. */
export const renewFieldOps = (entries: readonly string[], ops: readonly MemoryOp[]): readonly MemoryOp[] =>
  ops.map((op) => {
    const named = parseProfileEntry(op.action === 'remove' ? op.oldText : op.content)
    return (named && toFieldOp(entries, named.field, op.action === 'remove' ? undefined : named.value)) ?? op
  })
