/** Escapes that a model or a transport added to a text: resolved where that is certain, refused where writing them would spoil the file. */

const ESCAPED_QUOTES = ["\\'", '\\"'] as const

const backslashRuns = (text: string): readonly number[] => (text.match(/\\+/g) ?? []).map(({ length }) => length)

export interface EscapeDriftCheck {
  readonly oldText: string
  readonly newText: string
  /** Whether the old text was found only after its escapes had been resolved. */
  readonly resolved: boolean
}

/**
 * Prepares for one patch a check of what the file holds at a match: the escape sequence that old and new text carry but the file does
 * not, or `undefined`. Only for matches that are not exact.
 */
export const escapeDriftIn = ({ oldText, newText, resolved }: EscapeDriftCheck): ((region: string) => string | undefined) => {
  if (!newText.includes('\\')) return () => undefined
  const suspects = [...ESCAPED_QUOTES, ...(resolved ? ['\\n'] : [])].filter(
    (sequence) => newText.includes(sequence) && oldText.includes(sequence),
  )
  const given = backslashRuns(oldText)
  const isDoubled = (region: string): boolean => {
    const found = backslashRuns(region)
    return found.length > 0 && found.length === given.length && found.every((length, index) => given[index] === 2 * length)
  }
  return (region) => suspects.find((sequence) => !region.includes(sequence)) ?? (isDoubled(region) ? '\\\\' : undefined)
}

/**
 * `\t` and `\r` as two characters become the real ones if the replaced text has those and never the spelled-out form, and the new text
 * has no real one itself. `\n` stays: line breaks arrive as such, and code is full of it. The CR of a CRLF does not count.
 */
export const resolveEscapesLike = (region: string, newText: string): string => {
  const resolve = (text: string, sequence: string, real: string, isThere: boolean): string =>
    isThere && !region.includes(sequence) && !newText.includes(real) ? text.replaceAll(sequence, () => real) : text
  const withTabs = resolve(newText, '\\t', '\t', region.includes('\t'))
  return resolve(withTabs, '\\r', '\r', /\r(?!\n|$)/.test(region))
}
