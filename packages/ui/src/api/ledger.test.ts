import type { JournalRecord } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { growthOf, sumDays } from './ledger.ts'

const DAY_MS = 86_400_000
const MAY_18 = Date.UTC(2026, 4, 18)

const record = (at: number, more: Partial<JournalRecord>): JournalRecord => ({
  id: String(at),
  at,
  actor: 'review',
  kind: 'applied',
  reason: '',
  ...more,
})
const add = { target: 'memory', op: { action: 'add', content: 'x' } } as const
const remove = { target: 'memory', op: { action: 'remove', oldText: 'x' } } as const

describe('sumDays', () => {
  it('has a row for every day, and walks back from the entries of today', () => {
    const records = [
      record(MAY_18 + 1, add),
      record(MAY_18 + 2, { ...add, kind: 'held' }),
      record(MAY_18 + 2 * DAY_MS, remove),
      record(MAY_18 + 2 * DAY_MS, add),
      record(MAY_18 + 2 * DAY_MS, add),
    ]
    const days = sumDays(records, { from: MAY_18, to: MAY_18 + 2 * DAY_MS + 5, entries: 5 })
    expect(days.map(({ day, applied, held, entries }) => [day, applied, held, entries])).toEqual([
      ['2026-05-18', 1, 1, 4],
      ['2026-05-19', 0, 0, 4],
      ['2026-05-20', 3, 0, 5],
    ])
  })

  it('adds up what the calls of a day cost', () => {
    const cost = { calls: 1, inputTokens: 100, cachedInputTokens: 0, outputTokens: 10, estimated: false, durationMs: 1 }
    const records = [record(MAY_18, { kind: 'review-finished', cost }), record(MAY_18, { kind: 'review-failed', cost })]
    expect(sumDays(records, { from: MAY_18, to: MAY_18, entries: 0 })).toMatchObject([{ runs: 2, inputTokens: 200, outputTokens: 20 }])
  })
})

describe('growthOf', () => {
  const seen = (firstSeenAt: number) => ({ facts: { content: { origin: 'user', firstSeenAt, lastConfirmedAt: 10 } } }) as const

  it.each([
    ['an added entry', record(10, { ...add, ...seen(10) }), 1],
    ['a confirmed one', record(10, { ...add, ...seen(5) }), 0],
    ['one that came back from the archive', record(10, { ...add, ...seen(5), restoredFrom: 'memory-1a2b3c' }), 1],
    ['a removed one', record(10, remove), -1],
    ['a replaced one', record(10, { target: 'memory', op: { action: 'replace', oldText: 'x', content: 'y' } }), 0],
    ['one that made room', record(10, { ...add, evicted: [{ text: 'z', origin: 'tool' }] }), 0],
    ['a skill', record(10, { target: 'skill', op: { action: 'create', name: 'a', content: '' } }), 0],
    ['a held one', record(10, { ...add, kind: 'held' }), 0],
  ])('of %s', (_what, given, grown) => {
    expect(growthOf(given)).toBe(grown)
  })
})
