import { describe, expect, it } from 'vitest'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import { ownTranscript } from '../review/own-words-pass.ts'
import { aimOf } from './plan-passes.ts'

const said = [
  { role: 'user', text: 'How many?' },
  { role: 'tool', text: 'Three', toolNames: ['count'] },
  { role: 'assistant', text: 'Three.' },
] as const
const plain = stampTranscript([said[0], said[2]], new Set())
const trusted = stampTranscript(said, new Set(['count']))
const outside = stampTranscript(said, new Set())

describe('aimOf', () => {
  it('is short for own words, and has room for results of tools, whoever they belong to', () => {
    expect(aimOf({ kind: 'memory', sight: 'own', transcript: plain, isFirstOfTwo: false })).toBe(2_400)
    expect(aimOf({ kind: 'memory', sight: 'own', transcript: trusted, isFirstOfTwo: false })).toBe(9_000)
    expect(aimOf({ kind: 'memory', sight: 'outside', transcript: outside, isFirstOfTwo: false })).toBe(9_000)
  })

  it('is shorter for skills alone, and shortest for the first of two passes', () => {
    expect(aimOf({ kind: 'skills', sight: 'outside', transcript: outside, isFirstOfTwo: false })).toBe(5_000)
    expect(aimOf({ kind: 'both', sight: 'outside', transcript: outside, isFirstOfTwo: false })).toBe(9_000)
    expect(aimOf({ kind: 'skills', sight: 'own', transcript: plain, isFirstOfTwo: false })).toBe(5_000)
    expect(aimOf({ kind: 'both', sight: 'own', transcript: plain, isFirstOfTwo: true })).toBe(2_400)
  })

  it('leaves no room for text from outside that is left out', () => {
    expect(aimOf({ kind: 'both', sight: 'own', transcript: ownTranscript(outside), isFirstOfTwo: true })).toBe(2_400)
  })
})
