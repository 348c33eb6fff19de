import { describe, expect, it } from 'vitest'
import { REDACTED } from '../memory/redact-text.ts'
import { redactLines, redactSecrets } from './redact-secrets.ts'

const secret = 'The password is hunter2hunter2'

describe('redactSecrets', () => {
  it('replaces every text with a credential as a whole, and leaves the shape', () => {
    expect(redactSecrets({ a: [`x\n${secret}`, 'fine'], b: { c: 1 } })).toEqual({ a: [REDACTED, 'fine'], b: { c: 1 } })
  })
})

describe('redactLines', () => {
  it('leaves a text without a credential to the letter', () => {
    expect(redactLines('a\r\n\r\n  b')).toBe('a\r\n\r\n  b')
  })

  it('takes out the lines that hold one, so that the rest can be given back', () => {
    expect(redactLines(`# Deploy\n${secret}\n2. Upload.`)).toBe(`# Deploy\n${REDACTED}\n2. Upload.`)
  })

  it('takes out a private key with all of its lines', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nabc\n-----END RSA PRIVATE KEY-----'
    expect(redactLines(`a\n${key}\nb`)).toBe(`a\n${REDACTED}\nb`)
    expect(redactLines('a\n-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA')).not.toContain('MIIE')
  })

  it('takes out all of it where no line alone holds it', () => {
    expect(redactLines('password:\n  hunter2hunter2')).not.toContain('hunter2')
  })

  it('finds one at the very end of the longest text', () => {
    expect(redactLines(`${'word '.repeat(19_000)}\n${secret}`)).not.toContain('hunter2')
  })
})
