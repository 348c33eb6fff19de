/**
 * Does a text hold the value of a credential: a password, a key, a token? Talk about credentials is no credential ("the password manager is 1Password"), so
 * every pattern asks for a value. Used wherever such a value must neither be remembered nor recorded. Linear in the text, whatever it holds.
 */

/** Marks that issuers give their keys, so that a leak is found by its form. */
const ISSUED: readonly RegExp[] = [
  /(?<![A-Za-z0-9])(?:sk|pk|rk)[-_](?=[A-Za-z0-9_-]{0,64}\d)[A-Za-z0-9_-]{16,}/,
  /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,})/,
  /(?<![A-Za-z0-9])(?:xox[abeprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,})/,
  /(?<![A-Za-z0-9])eyJ[\w-]{8,2000}\.[\w-]{8,}\.[\w-]{4,}/, // JSON web token
  /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY-----/,
  /(?<![A-Za-z])(?:bearer|basic)\s{1,4}(?=[A-Za-z0-9._~+/=-]{0,64}\d)[A-Za-z0-9._~+/=-]{16,}/i,
  /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,100}:[^\s@/<>${}*]{3,200}@/i, // user and password in a URL
]

const PASSWORD =
  'password|passwd|passphrase|passcode|pwd|passwort|kennwort|contraseña|clave|senha|mot de passe|wachtwoord|hasło|пароль|密码|密碼|パスワード|비밀번호'
const KEY =
  'api[ _-]?key|access[ _-]?key(?: id)?|secret[ _-]?key|private[ _-]?key|signing[ _-]?key|client[ _-]?secret|secret|access[ _-]?token|api[ _-]?token|auth[ _-]?token|token'
const IS = `\\s{0,4}(?:=|:|：|\\b(?:is|was|ist|lautet|es|est|é|are)\\b|—|是|は|는|은)\\s{0,4}["'\`“]?`
const VALUE = '([^\\s"\'`“”]{4,256})'

const labelled = (label: string): RegExp => new RegExp(`(?<!\\p{L})(?:${label})${IS}${VALUE}`, 'giu')

/** Names where a value would stand: variables, templates, asterisks. */
const placeholder =
  /^(?:[$<{%[(*]|your|my|the|x{3,}|\.{3}|process\.|env\.|os\.|vault|secret[s_]|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+[.,;]?$)|:\/\//i
const mixes = (value: string): boolean => /\d/.test(value) && /\p{L}/u.test(value)
const isLikelyPassword = (value: string): boolean =>
  value.length >= 6 && (mixes(value) || /^\d{6,}$/.test(value) || (/\p{L}/u.test(value) && /[!@#$%^&*?+~]./.test(value)))
const isLikelyKey = (value: string): boolean => value.length >= 10 && mixes(value)

const rules: ReadonlyArray<readonly [RegExp, (value: string) => boolean]> = [
  [labelled(PASSWORD), isLikelyPassword],
  [labelled(KEY), isLikelyKey],
  [labelled('pin|pin[ -]?code'), (value) => /^\d{4,8}[.,;]?$/.test(value)],
]

// A value hidden by invisible or full-width characters is still one.
const invisible = /[\u00ad\u200b-\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff]/g

/** True where the value itself stands in the text. */
export const holdsCredential = (text: string): boolean => {
  const plain = text.normalize('NFKC').replace(invisible, '')
  if (ISSUED.some((pattern) => pattern.test(plain))) return true
  return rules.some(([pattern, isLikely]) =>
    [...plain.matchAll(pattern)].some(([, value = '']) => {
      const bare = value.replace(/[.,;:!?)\]]+$/, '')
      return !placeholder.test(value) && isLikely(bare)
    }),
  )
}
