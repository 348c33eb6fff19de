import { describe, expect, it } from 'vitest'
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
