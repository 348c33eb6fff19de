/**
 * Secrets without a form of their own, recognised by the preceding word: `password: …`, `API_KEY=…`, "my PIN is …". The value must look
 * like a secret, since a text may only mention credentials ("the password manager is 1Password").
 */
import { lazyPattern } from '../../shared/lazy-pattern.ts'
import { type CredentialFinder, type CredentialKind, type CredentialSpan, matchesUpTo } from './credential-span.ts'
import { isPlaceholder, isSampleKey } from './placeholder.ts'

const PASSWORD = [
  ...['password', 'passwd', 'passphrase', 'passcode', 'passwort', 'kennwort', 'contraseña', 'mot de passe', 'wachtwoord', 'hasło'],
  ...['пароль', 'парола', '密码', '密碼', 'パスワード', '비밀번호', 'kata sandi', 'şifre', 'lösenord', 'adgangskode', 'salasana'],
].join('|')
/** Short words that are also parts of other words. */
const SHORT_PASSWORD = 'pwd|pass|pw|clave|senha'
const KEY = [
  ...[
    'api[ _-]?key',
    'api[ _-]?secret',
    'access[ _-]?key(?:[ _-]?id)?',
    'secret[ _-]?(?:access[ _-]?)?key',
    'private[ _-]?key',
    'signing[ _-]?key',
  ],
  ...[
    'encryption[ _-]?key',
    'account[ _-]?key',
    'auth[ _-]?key',
    'license[ _-]?key',
    'master[ _-]?key',
    'client[ _-]?secret',
    'secret',
    'token',
  ],
].join('|')

/** Words between the label and the sign: "the password for the staging server is …". */
const OF_WHAT = `(?:\\s{1,3}(?:for|of|on|to|für|von|de|del|da|du)(?:\\s{1,3}[\\p{L}\\p{N}_.'/-]{1,40}){1,5}?)?`
const SIGN = `["'\`*]{0,3}\\s{0,4}(?:=>?|:=?|：|->|→|>|\\||\\b(?:is|was|ist|war|lautet|es|est|é|are)(?=\\s|$|["'\`“:])|—|是|は|는|은)\\s{0,4}(?:now\\s|jetzt\\s)?["'\`“*]{0,3}`
/** A lookahead: the value may itself be the label of the next one. */
const VALUE = `(?=([^\\s"'\`“”]{4,256}))`

const LETTER = lazyPattern(String.raw`\p{L}`, 'u')
const WORDS = lazyPattern(String.raw`^\p{L}{3,}(?:[-_.]\p{L}{3,}){3,}$`, 'u')

const mixes = (value: string): boolean => /\d/.test(value) && LETTER.read().test(value)
/** At least four words joined by hyphens, underscores or dots. */
const isPhrase = (value: string): boolean => WORDS.read().test(value)
const isLikelyPassword = (value: string): boolean =>
  value.length >= 6 &&
  (mixes(value) || /^\d{6,}$/.test(value) || (LETTER.read().test(value) && /[!@#$%^&*?+~]./.test(value)) || isPhrase(value))

/** A name of words and a short number: `deploy-bot-2`, `rotation-2024-05`. */
const isName = (value: string): boolean => /^[a-z]+(?:[-_.][a-z]+)*(?:[-_.]v?\d{1,4}){1,3}$/.test(value)
/** Letters only, unlike any word or name. */
const isLetterKey = (value: string): boolean => {
  if (/^[a-z]{24,}$/.test(value)) return true
  const capitals = value.replace(/[^A-Z]/g, '').length / value.length
  return /^[A-Za-z]{20,}$/.test(value) && capitals > 0.25 && capitals < 0.75
}
const ISSUED = /^(?:[spr]k|gsk|gh[pousr]|hf|npm|glpat|xai)[-_]\w/
const isLikelyKey = (value: string): boolean =>
  (value.length >= 10 && mixes(value) && !isName(value)) || (value.length >= 14 && ISSUED.test(value)) || isLetterKey(value)

interface Label {
  readonly kind: CredentialKind
  /**
   * A part of the pattern that every match contains. Searching for it is much cheaper than compiling the pattern, and most texts have no
   * match.
   */
  readonly hint: () => RegExp
  readonly pattern: () => RegExp
  readonly isLikely: (value: string) => boolean
}

const label = (kind: CredentialKind, hint: string, pattern: string, isLikely: Label['isLikely'], flags = 'giu'): Label => {
  const compiled = lazyPattern(pattern, flags)
  const compiledHint = lazyPattern(hint, flags.replace('g', ''))
  return { kind, hint: compiledHint.read, pattern: compiled.read, isLikely }
}

const labelled = (words: string): string => `(?:${words})${OF_WHAT}${SIGN}${VALUE}`

const SHORT_NUMBER = 'cvv|cvc|pin(?:[ -]?code)?'
const LOGIN = 'credentials?|log[ -]?in|logins?'

const LABELS: readonly Label[] = [
  label('a password', PASSWORD, labelled(PASSWORD), isLikelyPassword),
  label('a password', SHORT_PASSWORD, labelled(`(?<![\\p{L}])(?:${SHORT_PASSWORD})`), isLikelyPassword),
  label('a password', SHORT_NUMBER, labelled(`(?<![\\p{L}])(?:${SHORT_NUMBER})`), (value) => /^\d{3,8}$/.test(value)),
  label('a key or a token', KEY, labelled(KEY), isLikelyKey),
  label(
    'a password',
    PASSWORD,
    `(?:chang|set|reset|updat)\\p{L}{0,4}\\s{1,3}(?:\\p{L}{1,12}\\s{1,3}){0,3}(?:${PASSWORD})${OF_WHAT}\\s{1,4}to\\s{1,4}["'\`“]?${VALUE}`,
    isLikelyPassword,
  ),
  // Command flags, and login files.
  label('a password', '--pass|--pwd', `(?<![\\w-])--(?:password|passwd|pass|pwd)[ =]["']?${VALUE}`, isLikelyPassword),
  label(
    'a key or a token',
    '--(?:a|token|secret)',
    `(?<![\\w-])--(?:api-?key|(?:access-|auth-)?token|secret)[ =]["']?${VALUE}`,
    isLikelyKey,
  ),
  label('a password', 'login', `(?<!\\p{L})login\\s{1,4}\\S{1,80}\\s{1,4}password\\s{1,4}${VALUE}`, isLikelyPassword),
  label('a password', LOGIN, `(?<!\\p{L})(?:${LOGIN})${SIGN}[\\w.@+-]{2,64}\\s?[:/]\\s?${VALUE}`, isLikelyPassword),
]

/** A long value in quotation marks, of any form. */
const QUOTED = `(?:api[_-]?key|token|secret|password)["']?\\s{0,40}[=:]\\s{0,40}["']([a-z0-9+/=_-]{20,256})`
const PHRASE = `(?:seed|recovery|backup|mnemonic)(?: ?phrase| ?words| ?code)?["']?\\s{0,4}(?:=|:|is)\\s{0,4}["']?((?:(?:\\d{1,2}[.)]\\s?)?[a-z]{3,8}(?:[ ,]{1,3}|\\n(?=\\d))){11,23}[a-z]{3,8})`
/** Words that are in no word list for recovery phrases. */
const PROSE = /(?<![a-z])(?:the|and|for|with|from|are|was|not|its|has|but)(?![a-z])/i

const bare = (value: string): string => value.replace(/[.,;:!?)\]*]{1,8}$/, '')

const spansOf = (matches: readonly RegExpExecArray[], { kind, isLikely }: Pick<Label, 'kind' | 'isLikely'>): readonly CredentialSpan[] =>
  matches.flatMap(({ 0: match, 1: value = '', index }) =>
    isPlaceholder(value) || isPlaceholder(bare(value)) || isSampleKey(value) || !isLikely(bare(value))
      ? []
      : [{ kind, start: index, end: index + match.length + (match.endsWith(value) ? 0 : value.length) }],
  )

const RULES: readonly Label[] = [
  ...LABELS,
  label('a key or a token', 'api[_-]?key|token|secret|password', QUOTED, () => true, 'gi'),
  label('a recovery phrase', 'seed|recovery|backup|mnemonic', PHRASE, (value) => !PROSE.test(value), 'gi'),
]

export const findLabelledSecrets: CredentialFinder = (text, maxSigns) => {
  const found: CredentialSpan[] = []
  for (const rule of RULES) {
    if (!rule.hint().test(text)) continue
    const matches = matchesUpTo(text, rule.pattern(), maxSigns)
    if (!matches) return undefined
    found.push(...spansOf(matches, rule))
  }
  return found
}
