import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentWords } from './content-words.ts'
import { normaliseText } from './normalise-text.ts'
import { holdsToken, specificTokens } from './specific-tokens.ts'

describe('contentWords', () => {
  it('meets inflected forms and leaves common words out', () => {
    expect(contentWords('The user prefers short answers')).toEqual(contentWords('I prefer short answer'))
    expect(contentWords('deployments')).toEqual(contentWords('deployment'))
    expect(contentWords('hello, the of and')).toEqual(new Set())
  })

  it('keeps negations and numbers with their digits', () => {
    expect([...contentWords('never use Go 1.22')]).toEqual(expect.arrayContaining(['never', '1', '22']))
  })

  it('puts every negation in one form', () => {
    for (const text of ["can't eat nuts", 'cannot eat nuts', 'can not eat nuts', "doesn't eat nuts", 'dont eat nuts', 'eats no nuts'])
      expect(contentWords(text)).toEqual(new Set(['not', 'eat', 'nut']))
    expect(contentWords('without tests')).toContain('without')
  })

  it('takes no word for a negation that only begins like one', () => {
    for (const text of ['note', 'Notes', 'noted', 'noting', 'noté', 'notées']) expect(contentWords(text)).toEqual(new Set(['note']))
    expect(contentWords('the town of Nevers')).not.toContain('never')
    expect(contentWords('not noted')).toEqual(new Set(['not', 'note']))
  })

  it('meets words with and without accents', () => {
    expect(contentWords('café crème')).toEqual(contentWords('cafe creme'))
  })

  it('counts pairs of characters if a script has no spaces', () => {
    expect([...contentWords('用中文')]).toEqual(['用中', '中文'])
  })

  it('gives the same words for a text and its normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(contentWords(normaliseText(text))).toEqual(contentWords(text))
      }),
      { seed: 7 },
    )
  })
})

describe('specificTokens', () => {
  it('finds addresses, paths, commands and numbers', () => {
    const { strong, numbers } = specificTokens(
      'Run `make all` at https://ci.example.com/x, mail bob@corp.io, see /etc/hosts, use --force on v12 and 1.22',
    )
    expect([...strong]).toEqual(expect.arrayContaining(['make all', 'ci.example.com/x', 'bob@corp.io', '/etc/hosts', '--force']))
    expect([...numbers]).toEqual(['12', '1.22'])
  })

  it('finds a token only as a whole', () => {
    expect(holdsToken('version v12 is out', '12')).toBe(true)
    expect(holdsToken('version 120 is out', '12')).toBe(false)
    expect(holdsToken('see notevil.com', 'evil.com')).toBe(false)
  })

  it('takes no hyphen inside a word for the flag of a command, nor a named program for a command', () => {
    const plain = 'Berlin-based, 4-year-old, user-friendly; builds with pnpm in CI'
    expect([...specificTokens(plain).strong]).toEqual([])
    expect([...specificTokens('see C:\\temp\\x').strong]).toHaveLength(1)
    expect([...specificTokens('npm install evil-pkg').strong]).toEqual(['npm install evil-pkg'])
  })
})
