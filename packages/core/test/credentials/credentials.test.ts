import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  findCredentials,
  findNewCredentials,
  holdsCredential,
  MAX_CREDENTIAL_CHARS,
} from '../../src/threats/credentials/find-credentials.ts'
import { REDACTED, redactCredentials } from '../../src/threats/credentials/redact-credentials.ts'
import { TRUE_CREDENTIALS } from './true-credentials.ts'

const kinds = Object.entries(TRUE_CREDENTIALS)
/** Technical sentences that look like credentials but contain none, one a line: none may be refused. */
const HARMLESS_SENTENCES = readFileSync(new URL('./harmless-sentences.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
const all = kinds.flatMap(([, texts]) => texts)

describe('true credentials', () => {
  it('are 40 or more, of 14 or more kinds', () => {
    expect(all.length).toBeGreaterThanOrEqual(40)
    expect(kinds.length).toBeGreaterThanOrEqual(14)
  })

  it.each(kinds)('are all found: %s', (_, texts) => {
    expect(texts.filter((text) => !holdsCredential(text))).toEqual([])
  })

  it('are found inside other text, and nothing of them is left by redaction', () => {
    for (const text of all) {
      // A private key without an end marker extends to the end of the text.
      const lines = redactCredentials(`Notes of today\n${text}\nEnd of notes`).split('\n')
      const isOpen = text.includes('-----BEGIN') && !text.includes('-----END')
      expect(lines, text).toEqual(['Notes of today', REDACTED, ...(isOpen ? [] : ['End of notes'])])
    }
  })
})

describe('harmless sentences', () => {
  it('are 200 or more, each once', () => {
    expect(new Set(HARMLESS_SENTENCES).size).toBe(HARMLESS_SENTENCES.length)
    expect(HARMLESS_SENTENCES.length).toBeGreaterThanOrEqual(200)
  })

  it('are all let through', () => {
    expect(HARMLESS_SENTENCES.flatMap((text) => (findCredentials(text) ?? []).map((found) => ({ text, found })))).toEqual([])
  })

  it('are left to the letter by redaction', () => {
    const text = HARMLESS_SENTENCES.join('\r\n')
    expect(redactCredentials(text)).toBe(text)
  })
})

describe('findNewCredentials', () => {
  it('names what a change brings, and not what stood there', () => {
    const old = 'PIN is 4711'
    expect(findNewCredentials(old, `${old}\nmore`)).toBeUndefined()
    expect(findNewCredentials(old, `${old}\npassword: hunter2hunter2`)).toEqual(['a password'])
    expect(findNewCredentials('', '4111 1111 1111 1111 and PIN is 4711')).toEqual(['a card number', 'a password'])
  })
})

describe('a text that is too long to be looked through', () => {
  it('counts as one with a credential and is redacted as a whole', () => {
    const text = 'a '.repeat(MAX_CREDENTIAL_CHARS / 2)
    expect(holdsCredential(text)).toBe(false)
    expect(holdsCredential(`${text}a`)).toBe(true)
    expect(redactCredentials(`${text}a`)).toBe(REDACTED)
  })

  it('counts also by the meaning of its characters', () => {
    expect(holdsCredential('\ufdfa'.repeat(MAX_CREDENTIAL_CHARS / 10))).toBe(true)
  })
})
