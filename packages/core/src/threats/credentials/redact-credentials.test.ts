import { describe, expect, it } from 'vitest'
import { findIssuedKeys } from './issued-keys.ts'
import { REDACTED, redactCredentials } from './redact-credentials.ts'

const secret = 'The password is hunter2hunter2'

describe('redactCredentials', () => {
  it('leaves a text without a credential to the letter', () => {
    expect(redactCredentials('a\r\n\r\n  b')).toBe('a\r\n\r\n  b')
  })

  it('takes out the lines that hold one, so that the rest can be given back', () => {
    expect(redactCredentials(`# Deploy\n${secret}\n2. Upload.`)).toBe(`# Deploy\n${REDACTED}\n2. Upload.`)
  })

  it('takes out a private key with all of its lines', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabc\n-----END RSA PRIVATE KEY-----'
    expect(redactCredentials(`a\n${key}\nb`)).toBe(`a\n${REDACTED}\nb`)
    expect(redactCredentials('a\n-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA')).not.toContain('MIIE')
  })

  it('removes both lines if a label is on one and its value on the next', () => {
    expect(redactCredentials('a\npassword:\n  hunter2hunter2\nb')).toBe(`a\n${REDACTED}\nb`)
  })

  it('knows the lines also if characters are hidden or composed in front of them', () => {
    expect(redactCredentials(`e\u0301\u200b\ufdfa\n${secret}\nﬁn`)).toBe(`e\u0301\u200b\ufdfa\n${REDACTED}\nﬁn`)
  })

  it('finds one at the very end of the longest text', () => {
    expect(redactCredentials(`${'word '.repeat(19_000)}\n${secret}`)).not.toContain('hunter2')
  })
})

const letters = (length: number) => 'ab1cd2ef3'.repeat(20).slice(0, length)
const capitals = (length: number) => letters(length).toUpperCase()
const hex = (length: number) => letters(length)

/** Of each form the shortest key. */
const SHORTEST: readonly string[] = [
  `sk-${letters(16)}`,
  `pk_${'abcDefGhiJklMnoPqr'}`,
  ...['gsk_', 'xai-', 'pplx-', 'r8_', 'hf_', 'github_pat_', 'glpat-', 'dckr_pat_'].map((start) => start + letters(20)),
  `ghp_${letters(16)}`,
  `ATBB${letters(28)}`,
  ...['npm_', 'pypi-', 'AIza', 'fo1_', 'FlyV1 fm2_', 'ntn_', 'figd_', 'AccountKey=', 'SharedAccessKey='].map(
    (start) => start + letters(30),
  ),
  `rubygems_${hex(40)}`,
  `ATATT3${letters(20)}`,
  `AKIA${capitals(16)}`,
  ...['ya29.', 'GOCSPX-', 'hvs.', 'pscale_pw_', 'dp.pt.', 'glsa_', 'sntryu_', 'whsec_', 'sq0atp-', 'PMAK-', 'lin_api_', 'HRKU-'].map(
    (start) => start + letters(20),
  ),
  ...['dapi', 'dop_v1_', 'sbp_', 'key-', 'SK', 'shpat_'].map((start) => start + hex(32)),
  `NRAK-${capitals(20)}`,
  ...['xoxb-', 'xapp-1-'].map((start) => start + letters(10)),
  `SG.${letters(16)}.${letters(16)}`,
  `EAAA${letters(56)}`,
  `secret_${letters(40)}`,
  `pat${letters(14)}.${hex(32)}`,
  `12345678:AA${letters(33)}`,
  `M${letters(23)}.${letters(6)}.${letters(27)}`,
  `hooks.slack.com/services/${letters(20)}`,
  `discord.com/api/webhooks/1234567890/${letters(20)}`,
  `eyJ${letters(8)}.${letters(8)}`,
  `AGE-SECRET-KEY-1${capitals(40)}`,
  `bearer ${letters(16)}`,
  `Basic ${'aB1cD2eF3gH4'}`,
  'authorization: token ab1cd2ef',
  'otpauth://x?secret=JBSWY3DP',
  '-----BEGIN PRIVATE KEY-----',
  'PuTTY-User-Key-File-3: ',
]

describe('findIssuedKeys', () => {
  it.each(SHORTEST)('finds %s among short words', (key) => {
    expect(findIssuedKeys(`it is ${key} as is`, 10)).toHaveLength(1)
  })

  it('finds nothing in short words', () => {
    expect(findIssuedKeys('The API is deployed with Kamal, as bearer of news.', 10)).toEqual([])
  })
})
