/** Documents that Python Hermes writes too: what an update did to one, done to what Python has made of it. Pure. */
const SEPARATOR = '\n§\n'

const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)

const entriesOf = (bytes: Uint8Array | undefined): readonly string[] => {
  const text = textOf(bytes).trim()
  return text === '' ? [] : text.split(SEPARATOR)
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined if it is no map. */
const countsOf = (bytes: Uint8Array | undefined): Fields | undefined => {
  if (bytes === undefined) return {}
  try {
    const parsed: unknown = JSON.parse(textOf(bytes))
    return isFields(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** A number changes by what the update added to it; but no less than ours, if that may be in it already. Anything else becomes ours. */
const mergedField = (before: unknown, ours: unknown, there: unknown, mayBeIn: boolean): unknown => {
  const isCount = typeof ours === 'number' && (typeof before === 'number' || before === undefined)
  if (!isCount) return ours
  const number = typeof there === 'number' ? there : 0
  return mayBeIn ? Math.max(number, ours) : number + ours - (before ?? 0)
}

type MergeValue = (before: unknown, ours: unknown, there: unknown) => unknown

/** Only what the update has changed. */
const mergeFields = (before: Fields, ours: Fields, there: Fields, mergeValue: MergeValue): Fields => {
  const merged = new Map(Object.entries(there))
  for (const name of new Set([...Object.keys(before), ...Object.keys(ours)])) {
    if (JSON.stringify(before[name]) === JSON.stringify(ours[name])) continue
    if (name in ours) merged.set(name, mergeValue(before[name], ours[name], there[name]))
    else merged.delete(name)
  }
  return Object.fromEntries(merged)
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/**
 * `before` became `ours`, and Python has written `there`. Entries are separated by `\n§\n`; a document of JSON has counts by name. `mayBeIn`: ours may have been
 * in what Python read. Undefined if one of them is not in its format, so that it can only be replaced as a whole.
 */
export const mergeShared = (
  path: string,
  before: Uint8Array | undefined,
  ours: Uint8Array,
  there: Uint8Array,
  mayBeIn: boolean,
): Uint8Array | undefined => {
  if (path.endsWith('.json')) {
    const [was, is, now] = [countsOf(before), countsOf(ours), countsOf(there)]
    if (!was || !is || !now) return undefined
    const mergeField: MergeValue = (...values) => mergedField(...values, mayBeIn)
    const mergeRecord: MergeValue = (...values) => mergeFields(fieldsOf(values[0]), fieldsOf(values[1]), fieldsOf(values[2]), mergeField)
    return new TextEncoder().encode(JSON.stringify(mergeFields(was, is, now, mergeRecord), null, 2))
  }
  const [was, is, now] = [entriesOf(before), entriesOf(ours), entriesOf(there)]
  const kept = now.filter((entry) => is.includes(entry) || !was.includes(entry))
  const added = is.filter((entry) => !was.includes(entry) && !now.includes(entry))
  return new TextEncoder().encode([...kept, ...added].join(SEPARATOR))
}
