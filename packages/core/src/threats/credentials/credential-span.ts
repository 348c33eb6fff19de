/** The position and kind of a credential in a folded text. */

const CREDENTIAL_KINDS = ['a password', 'a key or a token', 'a private key', 'a recovery phrase', 'a card number'] as const

/** For messages: names the kind, never the value. */
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** Offsets in UTF-16 units, `end` exclusive. */
export interface CredentialSpan {
  readonly kind: CredentialKind
  readonly start: number
  readonly end: number
}

/** `undefined` if the text holds more than `maxSigns` marks and labels to check. */
export type CredentialFinder = (text: string, maxSigns: number) => readonly CredentialSpan[] | undefined

/** The matches of a pattern; `undefined` for more than `most`. */
export const matchesUpTo = (text: string, pattern: RegExp, most: number): readonly RegExpExecArray[] | undefined => {
  const found: RegExpExecArray[] = []
  // Most texts have no match, and `matchAll` copies the pattern first.
  if (text.search(pattern) < 0) return found
  for (const match of text.matchAll(pattern)) if (found.push(match) > most) return undefined
  return found
}
