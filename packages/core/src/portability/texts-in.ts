/** The texts in a piece of data, keys aside. Data that was read within bounds is at most 64 levels deep. */

export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner)
}

/** A copy with other texts; shape and other values stay. One text after the other. */
export const mapTexts = async <T>(value: T, change: (text: string) => Promise<string>): Promise<T> => {
  const copy = async (part: unknown): Promise<unknown> => {
    if (typeof part === 'string') return change(part)
    if (typeof part !== 'object' || part === null) return part
    const entries: (readonly [string, unknown])[] = []
    for (const [key, inner] of Object.entries(part)) entries.push([key, await copy(inner)])
    return Array.isArray(part) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
  }
  // The copy has the shape of its original: only texts change, and only into texts.
  return (await copy(value)) as T
}
