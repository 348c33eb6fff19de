import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import type { Origin } from '../shared/origin.ts'
import type { MemorySource } from './facts.ts'
import { makeRoom } from './make-room.ts'
import type { EntryFacts, EntryOrigin } from './memory-op.ts'

const NEW = 'new fact here'

type Row = readonly [entry: string, origin: EntryOrigin, lastConfirmedAt: number, more?: Partial<EntryFacts>]

/** The entries evicted so that the new fact fits into `charLimit` code points. */
const evicts = (rows: readonly Row[], charLimit: number, source?: MemorySource, previous: readonly string[] = []) => {
  const facts = rows.map(
    ([entry, origin, lastConfirmedAt, more]): EntryFacts => ({ entry, origin, firstSeenAt: 1, lastConfirmedAt, ...more }),
  )
  const entries = [...rows.map(([entry]) => entry).filter((entry) => !previous.includes(entry)), NEW]
  const room = { source, facts: new Map(facts.map((each) => [each.entry, each])) }
  return makeRoom({ entries, named: new Set([NEW]), previous, charLimit }, room)?.map(({ text }) => text)
}

// With the new one 43 code points: 4 entries of 4 or 13, 3 delimiters of 3.
const three: readonly Row[] = [
  ['said', 'user', 1],
  ['noted', 'assistant', 2],
  ['read', 'tool', 3],
]

describe('what makes room', () => {
  it('is the least trusted; among equals the one confirmed longest ago, then the one seen first, then the first in the store', () => {
    expect(evicts(three, 34, { origin: 'user' })).toEqual(['read'])
    expect(evicts(three, 26, { origin: 'user' })).toEqual(['read', 'noted'])
    expect(evicts(three, 13, { origin: 'user' })).toEqual(['read', 'noted', 'said'])
    const equals: readonly Row[] = [
      ['a', 'user', 5],
      ['b', 'user', 4, { firstSeenAt: 3 }],
      ['c', 'user', 4, { firstSeenAt: 2 }],
      ['d', 'user', 4, { firstSeenAt: 2 }],
    ]
    expect(evicts(equals, 25)).toEqual(['c'])
    expect(evicts(equals, 21)).toEqual(['c', 'd'])
    expect(evicts(equals, 17)).toEqual(['c', 'd', 'b'])
  })

  it('contains the placeholder for outside text if the change rewrites such an entry, whoever rewrites it', () => {
    const rows: readonly Row[] = [...three, ['old page', 'tool', 9]]
    expect(evicts(rows, 27, { origin: 'assistant' }, ['old page'])).toBeUndefined()
    expect(evicts(rows, 34, { origin: 'assistant' }, ['old page'])).toEqual(['read'])
    expect(evicts(rows, 26, { origin: 'assistant', raises: true }, ['old page'])).toEqual(['read', 'noted'])
    expect(evicts(rows, 13, { origin: 'user' }, ['old page'])).toEqual(['read', 'noted', 'said'])
    expect(evicts(three, 26, { origin: 'assistant' }, ['written by nobody known'])).toEqual(['read', 'noted'])
  })

  it('is from outside alone if text from outside was in sight, whoever writes', () => {
    for (const origin of ['user', 'assistant', 'tool'] as const) {
      expect(evicts(three, 34, { origin, sight: 'outside' })).toEqual(['read'])
      expect(evicts(three, 27, { origin, sight: 'outside', raises: true })).toBeUndefined()
      expect(evicts(three, 26, { origin: 'user', sight: 'own' })).toEqual(['read', 'noted'])
    }
  })

  it('is not more than needed, to the code point', () => {
    expect(evicts(three, 35, { origin: 'user' })).toEqual([])
    expect(evicts(three, 28, { origin: 'user' })).toEqual(['read'])
    expect(evicts(three, 27, { origin: 'user' })).toEqual(['noted'])
    expect(
      evicts(
        [
          ['a', 'tool', 1],
          ['a long entry', 'tool', 2],
        ],
        17,
        { origin: 'user' },
      ),
    ).toEqual(['a long entry'])
  })

  it('is never pinned, written by hand, named by the change, or unknown', () => {
    const kept: readonly Row[] = [
      ['hand', 'external', 0],
      ['keep', 'user', 0, { pinned: true }],
    ]
    expect(evicts(kept, 20)).toBeUndefined()
    expect(
      makeRoom({ entries: ['x', NEW], named: new Set([NEW]), previous: [], charLimit: 13 }, { source: undefined, facts: new Map() }),
    ).toBeUndefined()
  })

  it('is never another one of the own entries because of what is there from outside', () => {
    const row = fc.tuple(
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom<EntryOrigin[]>('user', 'assistant', 'external', 'tool'),
      fc.nat(9),
    )
    const run = fc.property(fc.array(row, { maxLength: 10 }), fc.constantFrom<Origin[]>('user', 'assistant'), (drawn, origin) => {
      const rows = drawn.map(([chars, whose, at], index): Row => [String.fromCharCode(97 + index).repeat(chars), whose, at])
      const own = rows.filter(([, whose]) => whose !== 'tool')
      // Without text from outside, the existing entries fit.
      const limit = Math.max(
        20,
        own.reduce((sum, [entry]) => sum + entry.length + 3, -3),
      )
      const goes = (among: readonly Row[]) => evicts(among, limit, { origin })?.filter((text) => own.some(([entry]) => entry === text))
      expect(goes(rows)).toEqual(goes(own))
    })
    fc.assert(run, { seed: 20_261_123, numRuns: rounds(2_000) })
  })
})
