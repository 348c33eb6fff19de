import { describe, expect, it } from 'vitest'
import { findIssuedKeys } from './issued-keys.ts'

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
