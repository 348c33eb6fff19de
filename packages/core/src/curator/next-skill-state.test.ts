import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { SKILL_STATES } from '../usage/usage-record.ts'
import { ageingAnchor, nextState } from './age.ts'

const STALE = 1_000_000
const ARCHIVE = 500_000

const active = (lastActivityAt: number) => ({ state: 'active', lastActivityAt }) as const
const stale = (lastActivityAt: number) => ({ state: 'stale', lastActivityAt }) as const

describe('nextState', () => {
  it('jumps active → archived directly when old enough (skips stale)', () => {
    expect(nextState(active(ARCHIVE), STALE, ARCHIVE)).toBe('archived')
    expect(nextState(stale(ARCHIVE), STALE, ARCHIVE)).toBe('archived')
  })

  it('ages at the very cutoff and not a microsecond before', () => {
    expect(nextState(active(STALE), STALE, ARCHIVE)).toBe('stale')
    expect(nextState(active(STALE + 0.001), STALE, ARCHIVE)).toBe('active')
    expect(nextState(stale(ARCHIVE + 0.001), STALE, ARCHIVE)).toBe('stale')
    expect(nextState(stale(STALE + 0.001), STALE, ARCHIVE)).toBe('active')
    expect(nextState(stale(STALE), STALE, ARCHIVE)).toBe('stale')
  })

  it('never archives a brand-new, never-active skill (lastActivityAt = 0)', () => {
    expect(nextState(active(0), STALE, ARCHIVE)).toBe('active')
    expect(nextState({ ...active(0), createdAt: 1 }, STALE, ARCHIVE)).toBe('active')
    expect(nextState(stale(0), STALE, ARCHIVE)).toBe('active')
  })

  it('counts from creation if that is asked for, and if the creation is known', () => {
    const options = { neverActive: 'from-creation' } as const
    expect(nextState({ ...active(0), createdAt: ARCHIVE }, STALE, ARCHIVE, options)).toBe('archived')
    expect(nextState({ ...active(0), createdAt: STALE }, STALE, ARCHIVE, options)).toBe('stale')
    expect(nextState({ ...active(0), createdAt: 0 }, STALE, ARCHIVE, options)).toBe('active')
    expect(nextState({ ...active(STALE + 1), createdAt: 1 }, STALE, ARCHIVE, options)).toBe('active')
  })

  it('brings nothing back from the archive', () => {
    for (const at of [0, 1, ARCHIVE, STALE + 1])
      expect(nextState({ state: 'archived', lastActivityAt: at }, STALE, ARCHIVE)).toBe('archived')
  })

  it('restarts the clock when a skill returns from the archive, also if it was never active', () => {
    expect(nextState({ ...active(1), restoredAt: STALE + 1 }, STALE, ARCHIVE)).toBe('active')
    expect(nextState({ ...active(0), restoredAt: STALE }, STALE, ARCHIVE)).toBe('stale')
    expect(nextState({ ...active(0), restoredAt: ARCHIVE }, STALE, ARCHIVE)).toBe('archived')
    expect(nextState({ ...active(STALE + 1), restoredAt: 1 }, STALE, ARCHIVE)).toBe('active')
  })

  it('takes no skill for older than its hand-over, which makes none younger than its activity', () => {
    expect(nextState(active(1), STALE, ARCHIVE, { notBefore: STALE + 1 })).toBe('active')
    expect(nextState(active(1), STALE, ARCHIVE, { notBefore: STALE })).toBe('stale')
    expect(nextState(active(0), STALE, ARCHIVE, { notBefore: ARCHIVE })).toBe('active')
  })

  it('never archives if the window is endless', () => {
    expect(nextState(active(1), STALE, Number.NEGATIVE_INFINITY)).toBe('stale')
    expect(nextState(stale(1), STALE, Number.NEGATIVE_INFINITY)).toBe('stale')
  })

  it('settles: what it decided once, it decides again', () => {
    const record = fc.record({
      state: fc.constantFrom(...SKILL_STATES),
      lastActivityAt: fc.nat(2_000_000),
      createdAt: fc.nat(2_000_000),
      restoredAt: fc.nat(2_000_000),
      useCount: fc.nat(3),
    })
    fc.assert(
      fc.property(record, fc.nat(2_000_000), fc.nat(2_000_000), fc.constantFrom('exempt', 'from-creation'), (each, a, b, neverActive) => {
        const [archive, cutoff] = [Math.min(a, b), Math.max(a, b)]
        const once = nextState(each, cutoff, archive, { neverActive })
        expect(nextState({ ...each, state: once }, cutoff, archive, { neverActive })).toBe(once)
        // Age is monotonic: what is archived now is archived for every later pair of cutoffs.
        if (once === 'archived') expect(nextState(each, cutoff + 1, archive + 1, { neverActive })).toBe('archived')
      }),
      { seed: 7, numRuns: rounds(500) },
    )
  })
})

describe('ageingAnchor', () => {
  it('is newer than any cutoff for what was never active', () => {
    expect(ageingAnchor(active(0))).toBe(Number.POSITIVE_INFINITY)
    expect(ageingAnchor({ ...active(5), restoredAt: 9, createdAt: 20 })).toBe(9)
  })
})
