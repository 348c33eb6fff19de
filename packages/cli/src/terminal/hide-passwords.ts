/** Takes passwords and keys out of addresses in a text that is shown or stored. Each step takes time that grows with the length of the text. */

const HIDDEN = '[hidden]'

const MARK = '://'

/** As `access_token`, `private_token`, `api-key`, `X-Amz-Signature`, `sig`. */
const NAMES_A_SECRET = /token|secret|passw|pwd|credential|signature|auth|api[-_.]?key|access[-_.]?key|^(?:key|pat|sig|jwt)$/i

/** At least one of its characters is encoded. */
const ENCODED_MARK = /(?!:\/\/)(?:%(?:25)*3a|:)(?:%(?:25)*2f|\/){2}/i

const SCHEME = /[a-z0-9+.%-]{0,20}$/i

/** Maps every second part of a text that is split by a group that captures its separators. */
const mapParts = (text: string, separators: RegExp, map: (part: string) => string): string =>
  text
    .split(separators)
    .map((part, index) => (index % 2 === 0 ? map(part) : part))
    .join('')

/** The index after the user information that begins at `start`, and where its secret begins; `undefined` if there is none. */
const findSecret = (word: string, start: number, lastAt: number, isWeb: boolean): { from: number; to: number } | undefined => {
  const length = word.slice(start).search(/[:/@]/)
  const end = start + length
  // A password may hold any character, `@` included.
  if (length >= 0 && word[end] === ':' && end < lastAt) return { from: end + 1, to: lastAt }
  // A name alone before the host of a web address may be a key.
  return isWeb && length > 0 && word[end] === '@' ? { from: start, to: end } : undefined
}

const hideUserInfo = (word: string): string => {
  const lastAt = word.lastIndexOf('@')
  let shown = ''
  let done = 0
  for (let mark = word.indexOf(MARK); mark >= 0 && mark < lastAt; mark = word.indexOf(MARK, Math.max(done, mark + 1))) {
    const scheme = word.slice(Math.max(0, mark - 5), mark)
    if (!/[a-z0-9+.-]$/i.test(scheme)) continue
    const found = findSecret(word, mark + MARK.length, lastAt, /https?$/i.test(scheme))
    if (!found) continue
    shown += word.slice(done, found.from) + HIDDEN
    done = found.to
  }
  return shown + word.slice(done)
}

const isSecretPair = (pair: string): boolean => {
  const at = pair.indexOf('=')
  return at > 0 && NAMES_A_SECRET.test(pair.slice(0, at))
}

/** A value may hold a question mark, and so may an address within it. */
const hideValue = (pair: string): string => {
  const parts = pair.split('?')
  const secret = parts.findIndex(isSecretPair)
  if (secret < 0) return pair
  const before = parts.slice(0, secret + 1).join('?')
  return `${before.slice(0, before.indexOf('=', before.lastIndexOf('?') + 1))}=${HIDDEN}`
}

/** Values of the query and of the fragment, and of an address within them. */
const hideInQuery = (word: string): string => {
  const mark = word.indexOf(MARK)
  const length = mark < 0 ? -1 : word.slice(mark).search(/[?#]/)
  if (length < 0) return word
  return word.slice(0, mark + length) + mapParts(word.slice(mark + length), /([#&;])/, hideValue)
}

/** An address that is percent-encoded, in whole or in part, as in the query of another one: hidden as a whole. */
const hideEncoded = (part: string): string => {
  const mark = part.search(ENCODED_MARK)
  if (mark < 0) return part
  return part.slice(0, mark - (SCHEME.exec(part.slice(Math.max(0, mark - 20), mark))?.[0].length ?? 0)) + HIDDEN
}

/** `postgres://me:secret@host` becomes `postgres://me:[hidden]@host`, `https://ghp_…@host?token=…` `https://[hidden]@host?token=[hidden]`. */
export const hidePasswords = (text: string): string => {
  const read = ENCODED_MARK.test(text) ? mapParts(text, /([\s?#&;='"<>]+)/, hideEncoded) : text
  if (!read.includes(MARK)) return read
  return mapParts(mapParts(read, /(\s+)/, hideUserInfo), /([\s'"<>]+)/, hideInQuery)
}
