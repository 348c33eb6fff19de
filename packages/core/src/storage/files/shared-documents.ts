/**
 * Documents that Python Hermes writes too: what an update adds and removes, which can be done to any later text. Pure. Entries are separated by `\n§\n`; in
 * a map of counts, a number of a record changes by a difference, and any other field to a value.
 */
const SEPARATOR = '\n§\n'

type FieldChange = { readonly by: number; readonly atLeast: number } | { readonly to: unknown } | { readonly gone: true }

export type Difference =
  | { readonly added: readonly string[]; readonly removed: readonly string[] }
  | { readonly records: Readonly<Record<string, Readonly<Record<string, FieldChange>> | null>> }

const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

const entriesOf = (bytes: Uint8Array | undefined): readonly string[] => {
  const text = textOf(bytes).trim()
  return text === '' ? [] : text.split(SEPARATOR)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Counts = Readonly<Record<string, unknown>>

/** Undefined if it is no map. */
const countsOf = (bytes: Uint8Array | undefined): Counts | undefined => {
  if (bytes === undefined) return {}
  try {
    const parsed: unknown = JSON.parse(textOf(bytes))
    return isRecord(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown): Counts => (isRecord(value) ? value : {})

const changeOf = (before: unknown, after: unknown): FieldChange =>
  typeof after === 'number' && (typeof before === 'number' || before === undefined)
    ? { by: after - (before ?? 0), atLeast: after }
    : after === undefined
      ? { gone: true }
      : { to: after }

const recordChange = (before: Counts, after: Counts): Readonly<Record<string, FieldChange>> =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      .map((field) => [field, changeOf(before[field], after[field])]),
  )

const differenceOfCounts = (before: Counts, after: Counts): Difference => {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  return {
    records: Object.fromEntries(
      changed.map((name) => [name, name in after ? recordChange(fieldsOf(before[name]), fieldsOf(after[name])) : null]),
    ),
  }
}

/** Undefined if the document is not in its format, so that it can only be replaced as a whole. */
export const differenceOf = (path: string, before: Uint8Array | undefined, after: Uint8Array | undefined): Difference | undefined => {
  if (path.endsWith('.json')) {
    const [was, is] = [countsOf(before), countsOf(after)]
    return was && is && differenceOfCounts(was, is)
  }
  const [was, is] = [new Set(entriesOf(before)), new Set(entriesOf(after))]
  return { added: [...is].filter((entry) => !was.has(entry)), removed: [...was].filter((entry) => !is.has(entry)) }
}

/** `mayBeIn`: the difference may be in the document already, so that a number becomes no less than ours instead of more by ours. */
const changedField = (value: unknown, change: FieldChange, mayBeIn: boolean): unknown => {
  if ('to' in change) return change.to
  if ('gone' in change) return undefined
  const number = typeof value === 'number' ? value : 0
  return mayBeIn ? Math.max(number, change.atLeast) : number + change.by
}

const mergeRecord = (there: Counts, fields: Readonly<Record<string, FieldChange>>, mayBeIn: boolean): Counts => {
  const merged = new Map(Object.entries(there))
  for (const [field, change] of Object.entries(fields)) merged.set(field, changedField(merged.get(field), change, mayBeIn))
  return Object.fromEntries(merged)
}

const mergeCounts = (there: Counts, { records }: Extract<Difference, { records: unknown }>, mayBeIn: boolean): Counts => {
  const merged = new Map(Object.entries(there))
  for (const [name, fields] of Object.entries(records)) {
    if (fields === null) merged.delete(name)
    else merged.set(name, mergeRecord(fieldsOf(merged.get(name)), fields, mayBeIn))
  }
  return Object.fromEntries(merged)
}

/** The document with the difference in it; undefined if it is not in its format. */
export const merge = (bytes: Uint8Array | undefined, difference: Difference, mayBeIn: boolean): Uint8Array | undefined => {
  if ('records' in difference) {
    const there = countsOf(bytes)
    return there && new TextEncoder().encode(JSON.stringify(mergeCounts(there, difference, mayBeIn), null, 2))
  }
  const there = entriesOf(bytes)
  const kept = there.filter((entry) => !difference.removed.includes(entry))
  return new TextEncoder().encode([...kept, ...difference.added.filter((entry) => !there.includes(entry))].join(SEPARATOR))
}
