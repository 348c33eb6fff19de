/** Remembers what was found out about texts, where that depends on the text alone. */

/** UTF-16 units, with a share for each text: several times what the largest store holds, also one of tiny entries. */
const MOST_UNITS = 262_144
const UNITS_OF_TEXT = 16

/** The function with a bounded memory: what was asked for longest ago is found out again. */
export const byText = <T>(find: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>()
  let units = 0
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = find(text)
    known.set(text, value)
    units += text.length + UNITS_OF_TEXT
    for (const oldest of known.keys()) {
      if (units <= MOST_UNITS) break
      known.delete(oldest)
      units -= oldest.length + UNITS_OF_TEXT
    }
    return value
  }
}
