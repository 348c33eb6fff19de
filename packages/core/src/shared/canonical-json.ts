/** JSON with sorted keys and two spaces: equal data gives equal bytes, and diffs are small (seed 000). */

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isSorted = (keys: readonly string[]): boolean => keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)

/** The value itself if its keys are sorted, which is faster to write than a copy. */
const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = value as Readonly<Record<string, unknown>>
  const keys = Object.keys(entries)
  let isSame = isPlain(value) && isSorted(keys)
  const sorted: Record<string, unknown> = Object.create(null)
  for (const key of isSame ? keys : keys.sort()) {
    const child = sortKeys(entries[key])
    isSame &&= child === entries[key]
    sorted[key] = child
  }
  return isSame ? value : sorted
}

export const canonicalJson = (value: unknown): string => `${JSON.stringify(sortKeys(value), null, 2)}\n`
