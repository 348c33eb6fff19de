/** Where a credential stands in a folded text. */

export const CREDENTIAL_KINDS = ['a password', 'a key or a token', 'a private key', 'a recovery phrase', 'a card number'] as const

/** For messages: says what it is and never what it reads. */
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number]

/** Offsets in UTF-16 units, `end` excluded. */
export interface CredentialSpan {
  readonly kind: CredentialKind
  readonly start: number
  readonly end: number
}

/** `undefined` where the text holds more than `maxSigns` of the marks and labels that are looked at one by one. */
export type CredentialFinder = (text: string, maxSigns: number) => readonly CredentialSpan[] | undefined

/** The matches of a pattern; `undefined` for more than so many. */
export const matchesUpTo = (text: string, pattern: RegExp, most: number): readonly RegExpExecArray[] | undefined => {
  const found: RegExpExecArray[] = []
  for (const match of text.matchAll(pattern)) if (found.push(match) > most) return undefined
  return found
}
