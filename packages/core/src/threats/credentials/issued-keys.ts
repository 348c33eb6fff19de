/** Keys recognised by the issuer's prefix. Every expression begins where its own run of characters begins, so that none backtracks. */
import { readOnce } from '../../shared/read-once.ts'
import { type CredentialFinder, type CredentialSpan, matchesUpTo } from './credential-span.ts'
import { isSampleKey } from './placeholder.ts'

const START = '(?<![A-Za-z0-9])'

const alternatives = (...forms: readonly string[]): RegExp => new RegExp(`${START}(?:${forms.join('|')})`, 'g')

/** Compiled at first use. */
const ISSUED = readOnce((): readonly RegExp[] => [
  // Model providers. Without a digit the key must be one long run: words joined by hyphens are names.
  /(?<![\w-])(?:sk|pk|rk)[-_](?:(?=[\w-]{0,64}\d)[\w-]{16,}|(?:[a-z]{2,8}[-_]){0,2}[A-Za-z]{18,})/g,
  alternatives('gsk_[A-Za-z0-9]{20,}', 'xai-[A-Za-z0-9]{20,}', 'pplx-[A-Za-z0-9]{20,}', 'r8_[A-Za-z0-9]{20,}', 'hf_[A-Za-z0-9]{20,}'),
  // Code hosts and package registries.
  alternatives('gh[pousr]_[A-Za-z0-9]{16,}', 'github_pat_\\w{20,}', 'gl(?:pat|dt|rt|cbt|ptt|soat)-[\\w-]{16,}', 'ATBB[A-Za-z0-9]{28,}'),
  alternatives('npm_[A-Za-z0-9]{30,}', 'pypi-[\\w-]{30,}', 'dckr_pat_[\\w-]{20,}', 'rubygems_[a-f0-9]{40,}', 'ATATT3[\\w=-]{20,}'),
  // Clouds and hosting.
  alternatives('(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}', 'AIza[\\w-]{30,}', 'ya29\\.[\\w-]{20,}', 'GOCSPX-[\\w-]{20,}', 'dapi[a-f0-9]{32}'),
  alternatives(
    'do[opr]_v1_[a-f0-9]{32,}',
    'hv[sb]\\.[\\w-]{20,}',
    'sbp_[a-f0-9]{32,}',
    'pscale_(?:tkn|pw)_[\\w-]{20,}',
    'dp\\.(?:pt|st|ct)\\.\\w{20,}',
  ),
  alternatives(
    'fo1_[\\w-]{30,}',
    'FlyV1 fm\\d_[\\w+/=,-]{30,}',
    'HRKU-[\\w-]{20,}',
    'glsa_\\w{20,}',
    'NRAK-[A-Z0-9]{20,}',
    'sntry[su]_[\\w=+/-]{20,}',
  ),
  /(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{30,}={0,2}/g,
  // Messages, mail, payments, shops, documents.
  alternatives(
    'xox[abeprs]-[\\w-]{10,}',
    'xapp-\\d-[\\w-]{10,}',
    'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    '(?<![\\w-])key-[a-f0-9]{32}',
    'SK[a-f0-9]{32}',
  ),
  alternatives(
    'whsec_[A-Za-z0-9+/=]{20,}',
    'sq0(?:atp|csp)-[\\w-]{20,}',
    'EAAA[\\w-]{56,}',
    'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
    'PMAK-[\\w-]{20,}',
  ),
  alternatives(
    'lin_api_[A-Za-z0-9]{20,}',
    'ntn_[A-Za-z0-9]{30,}',
    'secret_[A-Za-z0-9]{40,}',
    'figd_[\\w-]{30,}',
    'pat[A-Za-z0-9]{14}\\.[a-f0-9]{32,}',
  ),
  /(?<![\w:])\d{8,10}:AA[\w-]{33}(?![\w-])/g, // Telegram
  /(?<![\w.-])[MNO][\w-]{23,26}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])/g, // Discord
  /hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/]{20,}|discord(?:app)?\.com\/api\/webhooks\/\d{10,}\/[\w-]{20,}/g,
  // Keys of other forms.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]{4,})?/g, // JSON web token
  /AGE-SECRET-KEY-1[A-Z0-9]{40,}/g,
  /(?<![A-Za-z])bearer\s{1,4}(?=[\w.~+/=-]{0,64}\d)[\w.~+/=-]{16,}/gi,
  /(?<![A-Za-z])[Bb]asic\s{1,4}(?=[a-z0-9+/]{0,64}[A-Z])[A-Za-z0-9+/]{12,}={0,2}(?![\w-])/g,
  /authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4}[\w.~+/=-]{8,}/gi,
  /otpauth:\/\/[^\s]{1,300}secret=[A-Z2-7]{8,}/gi,
])

/** From the opening mark to the closing one, or to the last character that can belong to it. */
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-----END [A-Z0-9 ]{0,40}-----)?/g
const PUTTY_KEY = /PuTTY-User-Key-File-\d:[\s\S]{0,4000}/g

/** Every match of `ISSUED` holds as many characters in a row that are not white space. Few notes do; the others need not be searched. */
const LONG_RUN = /\S{12}/

export const findIssuedKeys: CredentialFinder = (text, maxSigns) => {
  const found: CredentialSpan[] = []
  for (const pattern of [PRIVATE_KEY, PUTTY_KEY, ...(LONG_RUN.test(text) ? ISSUED.read() : [])]) {
    const isBlock = pattern === PRIVATE_KEY || pattern === PUTTY_KEY
    const matches = matchesUpTo(text, pattern, maxSigns)
    if (!matches) return undefined
    for (const { 0: key, index } of matches) {
      if (isBlock || !isSampleKey(key))
        found.push({ kind: isBlock ? 'a private key' : 'a key or a token', start: index, end: index + key.length })
    }
  }
  return found
}
