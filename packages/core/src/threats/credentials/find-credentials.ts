/**
 * Finds the values of credentials in a text: passwords, keys, tokens, recovery phrases, card numbers. The one rule set for stores, gate,
 * journal and sessions. Linear in the text.
 */
import { foldCompatible, withoutInvisible } from '../../shared/fold-text.ts'
import { findAddressPasswords } from './address-passwords.ts'
import { findCardNumbers } from './card-numbers.ts'
import type { CredentialFinder, CredentialKind } from './credential-span.ts'
import { findIssuedKeys } from './issued-keys.ts'
import { findLabelledSecrets } from './labelled-secrets.ts'

/** UTF-16 units. Longer texts are not searched. The 100,000 code points of a skill's text take at most this many. */
export const MAX_CREDENTIAL_CHARS = 200_000

/** Maximum marks and labels. A text with more is made to be slow and counts as one that cannot be searched. */
const MAX_SIGNS = 4_000

export interface Credential {
  readonly kind: CredentialKind
  /** The text that matched. Must not be shown or logged. */
  readonly text: string
  /** Line numbers from 0, inclusive; lines end at a line feed. */
  readonly firstLine: number
  readonly lastLine: number
}

const FINDERS: readonly CredentialFinder[] = [findIssuedKeys, findAddressPasswords, findLabelledSecrets, findCardNumbers]

const FOLD_AT_ONCE = 20_000

/** In pieces, so that a text that expands too much is rejected early. */
const foldWithin = (text: string): string | undefined => {
  let folded = ''
  for (let start = 0; start < text.length; ) {
    const most = start + FOLD_AT_ONCE
    const end = most < text.length && /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most
    folded += withoutInvisible(foldCompatible(text.slice(start, end)))
    if (folded.length > MAX_CREDENTIAL_CHARS) return undefined
    start = end
  }
  return folded
}

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

/** In the order of the text. `undefined` for a text that is too long or holds too many signs of credentials. */
export const findCredentials = (text: string): readonly Credential[] | undefined => {
  if (text.length > MAX_CREDENTIAL_CHARS) return undefined
  // Values disguised by invisible or full-width characters count too.
  const folded = foldWithin(text)
  if (folded === undefined) return undefined
  const found = FINDERS.map((find) => find(folded, MAX_SIGNS))
  if (found.some((spans) => spans === undefined)) return undefined
  const spans = found.flatMap((each) => each ?? []).sort((a, b) => a.start - b.start)
  if (spans.length === 0) return []
  const lineOf = createLineCounter(folded)
  const firstLines = spans.map(({ start }) => lineOf(start))
  return spans.map(({ kind, start, end }, index) => {
    const stretch = folded.slice(start, end)
    const firstLine = firstLines[index] ?? 0
    return { kind, text: stretch, firstLine, lastLine: firstLine + stretch.split('\n').length - 1 }
  })
}

/** True if the text holds a credential, and for a text that is too long to check. */
export const holdsCredential = (text: string): boolean => findCredentials(text)?.length !== 0

/** The finding of `findNewCredentials` for a text that cannot be checked. */
const UNCHECKED = 'more text than can be checked for secrets'

/** The kinds of credentials in `next` but not in `before`, in words; `undefined` for none. `before`: the text that a change replaces. */
export const findNewCredentials = (before: string, next: string): readonly string[] | undefined => {
  const found = findCredentials(next)
  if (found?.length === 0) return undefined
  const old = findCredentials(before)
  // A file that is already too long may be changed, and so shortened.
  if (!found) return old ? [UNCHECKED] : undefined
  const known = new Set(old?.map(({ text }) => text))
  const kinds = new Set(found.filter(({ text }) => !known.has(text)).map(({ kind }) => kind))
  return kinds.size === 0 ? undefined : [...kinds].sort()
}
