import { expect, it } from 'vitest'
import { type JournalRecord, onlyConfirmed } from './journal-record.ts'

const dates = (firstSeenAt: number, lastConfirmedAt: number) => ({ content: { origin: 'user', firstSeenAt, lastConfirmedAt } }) as const

const record = (about: Partial<JournalRecord>): JournalRecord => ({
  id: 'a',
  at: 9,
  actor: 'person',
  kind: 'applied',
  reason: 'A person wrote it.',
  target: 'memory',
  op: { action: 'add', content: 'one' },
  ...about,
})

it.each([
  ['a new entry', record({ facts: dates(9, 9) }), false],
  ['an entry that was there', record({ facts: dates(5, 9) }), true],
  ['an entry without dates', record({ facts: dates(0, 0) }), false],
  ['a record without facts', record({}), false],
  ['a restored entry', record({ facts: dates(5, 9), restoredFrom: 'memory-1a2b3c' }), false],
  ['a replaced entry', record({ facts: dates(5, 9), op: { action: 'replace', oldText: 'one', content: 'two' } }), false],
])('tells whether the record only confirms: %s', (_what, given, confirmed) => {
  expect(onlyConfirmed(given)).toBe(confirmed)
})
