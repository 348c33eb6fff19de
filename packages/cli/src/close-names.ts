/** The names that were probably meant by a mistyped one. */
const SHOWN = 3

/** Number of letters to add, remove, replace or swap with their neighbour to get from one text to the other. */
const distance = (from: string, to: string): number => {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries()) {
      const isSwap = index > 0 && at > 0 && letter === to[at - 1] && from[index - 1] === other
      const swapped = isSwap ? (before[at - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min((row[at] ?? 0) + (letter === other ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, swapped))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}

/** Best first: names that contain the text or begin like it, then names with few other letters. */
export const closeNames = (wanted: string, names: readonly string[]): readonly string[] => {
  const asked = wanted.toLowerCase()
  const limit = Math.max(1, Math.floor(asked.length / 3))
  return [...new Set(names)]
    .flatMap((name) => {
      const own = name.toLowerCase()
      if (asked.length > 2 && (own.includes(asked) || asked.includes(own)))
        return [{ name, apart: Math.abs(own.length - asked.length) / 100 }]
      const apart = Math.abs(own.length - asked.length) > limit ? Number.POSITIVE_INFINITY : distance(asked, own)
      return apart <= limit ? [{ name, apart }] : []
    })
    .sort((a, b) => a.apart - b.apart || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ name }) => name)
}
