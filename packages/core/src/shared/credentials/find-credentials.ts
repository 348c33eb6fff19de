/**
 * Finds the values of credentials in a text: passwords, keys, tokens, recovery phrases, card numbers. The one rule set for whatever must neither be remembered
 * nor recorded: stores, gate, journal, sessions. Linear in the text, whatever it holds.
 */
import { foldCompatible, withoutInvisible } from '../fold-text.ts'
import { findAddressPasswords } from './address-passwords.ts'
import { findCardNumbers } from './card-numbers.ts'
import type { CredentialKind, CredentialSpan } from './credential-span.ts'
import { findIssuedKeys } from './issued-keys.ts'
import { findLabelledSecrets } from './labelled-secrets.ts'

/** Nothing longer is looked through; the longest text of a skill has as many UTF-16 units. */
export const MAX_CREDENTIAL_CHARS = 200_000

export interface Credential {
  readonly kind: CredentialKind
  /** The stretch that gave it away. Never to be shown or logged. */
  readonly text: string
  /** Line numbers from 0, both included; lines end at a line feed. */
  readonly firstLine: number
  readonly lastLine: number
}

const FINDERS: readonly ((text: string) => readonly CredentialSpan[])[] = [
  findIssuedKeys,
  findAddressPasswords,
  findLabelledSecrets,
  findCardNumbers,
]

const createLineCounter = (text: string): ((offset: number) => number) => {
  let line = 0
  let at = 0
  return (offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line++
      at = next + 1
    }
    return line
  }
}

/** In the order of the text. `undefined` for a text that is too long to be looked through. */
export const findCredentials = (text: string): readonly Credential[] | undefined => {
  if (text.length > MAX_CREDENTIAL_CHARS) return undefined
  // A value hidden by invisible or full-width characters is still one.
  const folded = withoutInvisible(foldCompatible(text))
  if (folded.length > MAX_CREDENTIAL_CHARS) return undefined
  const spans = FINDERS.flatMap((find) => find(folded)).sort((a, b) => a.start - b.start)
  if (spans.length === 0) return []
  const lineOf = createLineCounter(folded)
  const firstLines = spans.map(({ start }) => lineOf(start))
  return spans.map(({ kind, start, end }, index) => {
    const stretch = folded.slice(start, end)
    const firstLine = firstLines[index] ?? 0
    return { kind, text: stretch, firstLine, lastLine: firstLine + stretch.split('\n').length - 1 }
  })
}

/** True where a value itself stands in the text, and for a text that is too long to tell. */
export const holdsCredential = (text: string): boolean => findCredentials(text)?.length !== 0

/** The kinds of what is in `next` and was not in `before`; `undefined` for none. `before`: what a change replaces. */
export const findNewCredentials = (before: string, next: string): readonly CredentialKind[] | undefined => {
  const found = findCredentials(next) ?? []
  if (found.length === 0) return undefined
  const known = new Set(findCredentials(before)?.map(({ text }) => text))
  const kinds = new Set(found.filter(({ text }) => !known.has(text)).map(({ kind }) => kind))
  return kinds.size === 0 ? undefined : [...kinds].sort()
}
