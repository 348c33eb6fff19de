/**
 * Addresses, commands, paths, numbers and credentials in a statement. If the user's words lack one and a tool result contains it, the tool result is the
 * source (DESIGN 5).
 */
import { normaliseText } from './normalise-text.ts'
import { remember, spend } from './work-limit.ts'

export interface SpecificTokens {
  /** Tokens that do not match by chance: URLs, hosts, e-mail addresses, paths, commands, credentials. */
  readonly strong: ReadonlySet<string>
  /** Numbers and versions of at least two digits, which may match by chance. */
  readonly numbers: ReadonlySet<string>
}

const strongPatterns: readonly RegExp[] = [
  /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]]+/g, // URL
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,253}/gu, // e-mail address
  /(?<![\p{L}\p{N}.-])(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}-])/gu, // host or file name
  /(?<![\p{L}\p{N}])(?:\d{1,3}\.){3}\d{1,3}(?!\d)/gu, // IPv4
  /(?<![\p{L}\p{N}/])(?:~|\.{1,2})?\/[\p{L}\p{N}_.@-]+(?:\/[\p{L}\p{N}_.@-]+)*/gu, // path
  /(?<![\p{L}\p{N}])[a-z]:\\[^\s"']+/gu, // Windows path
  /(?<![\p{L}\p{N}-])--?[a-z][a-z0-9-]*/gu, // flag of a command
  // A command with what it does or works on; "pnpm in CI" only names the program.
  /(?<![\p{L}\p{N}-])(?:npm|pnpm|yarn|npx|bunx?|pip3?|cargo|brew|apt|docker|kubectl|git|curl|wget|sudo|rm|chmod|ssh|bash|sh)\s(?:(?:install|i|add|run|exec|dlx|x|clone|push|pull|reset|apply|build|test|publish|link)(?![\p{L}\p{N}-])(?:\s[^\s"',;]+)?|[^\s"',;]*[/@:$=*.-][^\s"',;]*)/gu,
  /(?<![a-z0-9_+/=-])[a-z0-9_+/=-]*\d[a-z0-9_+/=-]{15,}/g, // key, hash or other long mark
]

const codeSpan = /`([^`\n]{2,200})`/g
const number = /(?<![\p{L}\p{N}])v?\d+(?:[.,:/-]\d+)*(?![\p{L}\p{N}])/gu

/** Maximum characters of a token, which bounds the search; a longer one is cut to its beginning. */
const MAX_TOKEN = 200

const tidy = (token: string): string =>
  token
    .slice(0, MAX_TOKEN)
    .replace(/^[a-z][a-z0-9+.-]{1,20}:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[.,:;!?/)\]]{1,8}$/, '')

export const specificTokens = remember('specificTokens', (text): SpecificTokens => {
  const plain = normaliseText(text)
  spend(200 * plain.length)
  const spans = [...text.matchAll(codeSpan)].map(([, span = '']) => normaliseText(span))
  const strong = [...spans, ...strongPatterns.flatMap((pattern) => plain.match(pattern) ?? [])].map(tidy)
  const numbers = (plain.match(number) ?? []).map((token) => token.replace(/^v/, '')).filter((token) => token.length > 1)
  return { strong: new Set(strong.filter((token) => token.length > 1)), numbers: new Set(numbers) }
})

const isWordPart = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** True if the token occurs in the text as a whole, not as part of a longer word or number. `text` is normalised. */
export const holdsToken = (text: string, token: string): boolean => {
  spend(text.length)
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    spend(200)
    // `v12` contains the version 12.
    const before = text[at - 1] === 'v' ? text[at - 2] : text[at - 1]
    const startsWhole = !isWordPart(token[0]) || !isWordPart(before)
    const endsWhole = token.length >= MAX_TOKEN || !isWordPart(token.at(-1)) || !isWordPart(text[at + token.length])
    if (startsWhole && endsWhole) return true
  }
  return false
}

// Hosts and mail addresses, which do not match by chance.

const url = /[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/"'<>()[\]`?#]+)/g
const mail = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu
const numeric = /(?<![\p{L}\p{N}.])(?:\d{1,3}\.){3}\d{1,3}(?![\p{N}.])/gu
/** Host names, by top-level domains that are rarely endings of files or of members in code. */
const host =
  /(?<![\p{L}\p{N}._/-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|edu|gov|info|biz|xyz|top|site|online|cloud|dev|app|ai|io|co|ru|cn|de|fr|uk|eu|us|nl|br|in|jp|example|onion)(?![\p{L}\p{N}-]|\.\p{L}|\()/gu
const own = /^(?:localhost|127\.\d|0\.0\.0\.0|\[::1\]|\$|\{|<|%|(?:www\.)?example\.(?:com|org|net)$)/

/** Normalised, without duplicates. */
export const foreignAddresses = (text: string): readonly string[] => {
  const plain = normaliseText(text)
  spend(50 * plain.length)
  const urls = [...plain.matchAll(url)].map(([, authority = '']) => authority.replace(/^[^@]*@/, '').replace(/:\d+$|[.,;:]+$/g, ''))
  const named = [mail, numeric, host].flatMap((pattern) => plain.match(pattern) ?? [])
  return [...new Set([...urls, ...named])].filter((address) => address !== '' && !own.test(address))
}
