/** The texts in JSON data, without keys. Recursion is safe: data from `parseBoundedJson` is at most 64 levels deep. */

export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner)
}

/** A copy with every text changed, one after the other. */
export const mapTexts = async <T>(value: T, change: (text: string) => Promise<string>): Promise<T> => {
  const copy = async (part: unknown): Promise<unknown> => {
    if (typeof part === 'string') return change(part)
    if (typeof part !== 'object' || part === null) return part
    const entries: (readonly [string, unknown])[] = []
    for (const [key, inner] of Object.entries(part)) entries.push([key, await copy(inner)])
    return Array.isArray(part) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
  }
  // Only strings change, and only into strings, so the copy has the type of the original.
  return (await copy(value)) as T
}
