/** User name and password before the host of an address. The password may hold any character, including `@` and `:`. */
import type { CredentialFinder, CredentialSpan } from './credential-span.ts'
import { isPlaceholder } from './placeholder.ts'

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

export const findAddressPasswords: CredentialFinder = (text, maxSigns) => {
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
