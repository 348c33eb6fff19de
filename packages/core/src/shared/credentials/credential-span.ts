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
