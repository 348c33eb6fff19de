/**
 * Finds the values of credentials in a text: passwords, keys, tokens, recovery phrases, card numbers. The one rule set for stores, gate,
 * journal and sessions. Linear in the text.
 */
import { foldCompatible, withoutInvisible } from '../../shared/fold-text.ts'
import { lazyPattern } from '../../shared/lazy-pattern.ts'
import { type CredentialFinder, type CredentialKind, type CredentialSpan, matchesUpTo } from './credential-span.ts'
import { findIssuedKeys } from './issued-keys.ts'
import { findLabelledSecrets } from './labelled-secrets.ts'
import { isPlaceholder } from './placeholder.ts'

// Payment card numbers: 13 to 19 digits of a known network, with single spaces, dots or hyphens between groups, and a valid check digit.

/** A whole run of digits, so that part of a longer number does not match. */
const RUNS = lazyPattern(String.raw`(?<![\p{L}\p{N}_+.#/-])\d(?:[ .-]?\d){12,}(?![\p{L}\p{N}_/-]|\.\d)`, 'gu')

/** Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay, Maestro and Mir, each with its lengths. */
const NETWORKS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|6(?:011|4[4-9]|5)\d{11,16}|3(?:0[0-5]|[689])\d{11,16}|35\d{14,17}|62\d{14,17}|(?:50|5[6-8]|6[37])\d{11,17}|220[0-4]\d{12,15})$/

/** The check of ISO/IEC 7812. */
const passesLuhn = (digits: string): boolean => {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Single digits or ascending numbers are a list. */
const isList = (run: string): boolean => {
  const groups = run.split(/[ .-]/)
  const isCounting =
    groups.length > 1 && groups.every((group, index) => index === 0 || Math.abs(Number(group) - Number(groups[index - 1]) - 5) < 5)
  return isCounting || groups.some((group) => group.length < 2)
}

const findCardNumbers: CredentialFinder = (text, maxSigns) =>
  matchesUpTo(text, RUNS.read(), maxSigns)?.flatMap(({ 0: run, index }) => {
    if (run.length > 40) return []
    const digits = run.replace(/\D/g, '')
    const isCard = digits.length <= 19 && NETWORKS.test(digits) && !isList(run) && !/^(.)\1+$/.test(digits) && passesLuhn(digits)
    return isCard ? [{ kind: 'a card number', start: index, end: index + run.length } as const] : []
  })

// User name and password before the host of an address. The password may hold any character, including `@` and `:`.

/** Maximum length of the part before the path. */
const MAX_AUTHORITY = 400

const SCHEME = /[a-z][a-z0-9+.-]{0,20}$/i
const AUTHORITY_END = /[\s"'`<>|\\]|$/
/** `user:password@host`: a sample in which every part names itself. */
const SAMPLE =
  /^(?:user(?:name)?|name|login|usr):(?:password|passwd|pass|pwd|pw|secret)@(?:host(?:name)?|server|domain|db|example\.\w+)(?![\w.-])/i

/** A password with an unencoded slash, before a host. Only for schemes other than web addresses, whose paths contain such characters. */
const WITH_SLASH = /^[^@/?#:]{0,64}:(?!\d{1,5}(?:[/?#]|$))\S{2,300}(?=@[\w.-]{1,253}(?:[:/?#]|$))/

/** Up to the last `@` before the path. */
const userInfoOf = (rest: string, scheme: string): string | undefined => {
  const path = rest.search(/[/?#]/)
  const at = (path < 0 ? rest : rest.slice(0, path)).lastIndexOf('@')
  if (at >= 0) return rest.slice(0, at)
  return /^https?$/i.test(scheme) ? undefined : WITH_SLASH.exec(rest)?.[0]
}

const findAddressPasswords: CredentialFinder = (text, maxSigns) => {
  const found: CredentialSpan[] = []
  let signs = 0
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    if (++signs > maxSigns) return undefined
    const scheme = SCHEME.exec(text.slice(Math.max(0, at - 21), at))?.[0]
    if (scheme === undefined) continue
    const from = at + 3
    const stretch = text.slice(from, from + MAX_AUTHORITY)
    const rest = stretch.slice(0, stretch.search(AUTHORITY_END))
    const userInfo = userInfoOf(rest, scheme)
    const colon = userInfo?.indexOf(':') ?? -1
    if (userInfo === undefined || colon < 0 || rest.startsWith('@sha256:', userInfo.length)) continue
    const password = userInfo.slice(colon + 1)
    if (password.length < 2 || SAMPLE.test(rest) || isPlaceholder(password)) continue
    found.push({ kind: 'a password', start: at - scheme.length, end: from + userInfo.length })
  }
  return found
}

// All rules together.

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
