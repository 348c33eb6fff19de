import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { journalRecordSchema } from './journal-record.ts'
import { isUsualRecord } from './usual-record.ts'

const complete = {
  ...{ id: 'r1', at: 1, sessionId: 's', review: 'v', actor: 'review', kind: 'applied', reason: 'why', pass: 'own-words', target: 'memory' },
  ...{ op: { action: 'replace', oldText: 'a', content: 'b' }, rationale: '', score: 0.9, origin: 'user', previous: ['a'], pendingId: 'p' },
  evidence: [{ messageId: 'm', quote: 'q' }, { quote: 'q' }],
  ...{ restoredFrom: 'x', model: 'm' },
  cost: { calls: 1, inputTokens: 2, cachedInputTokens: 0, outputTokens: 3, estimated: false, durationMs: 4, model: 'm' },
}

it('passes a record with every usual field', () => {
  expect(isUsualRecord(complete)).toBe(true)
  expect(isUsualRecord({ id: 'r', at: 1, actor: 'host', kind: 'held', reason: '' })).toBe(true)
})

it('passes only what the schema returns as it is', () => {
  const value = fc.oneof(
    ...[fc.constantFrom('', 'user', 'skill', 'add', 'x'.repeat(65), 'x'.repeat(4_001), 'applied', 'review'), fc.double(), fc.boolean()],
    ...[
      fc.constant(null),
      fc.constant(undefined),
      fc.array(fc.constantFrom('a', 1, null)),
      fc.constant([{ quote: '' }, { quote: 'q', at: 1 }]),
    ],
    ...[
      fc.constant({ action: 'add' }),
      fc.constant({ action: 'add', content: 'a', more: 1 }),
      fc.constant({ action: 'remove', oldText: 'a' }),
    ],
    fc.constant({ action: 'archive', name: 'n', absorbedInto: null }),
  )
  const key = fc.constantFrom(...Object.keys(complete), 'upkeep', 'facts', 'error', 'partial', 'raw', 'evicted', 'unknown', '__proto__')
  const changes = fc.array(fc.tuple(key, value), { maxLength: 3 })
  fc.assert(
    fc.property(changes, (changed) => {
      const data = JSON.parse(JSON.stringify(Object.fromEntries([...Object.entries(complete), ...changed])))
      if (isUsualRecord(data)) expect(journalRecordSchema.parse(data)).toEqual(data)
    }),
    { numRuns: rounds(2_000), seed: 5 },
  )
})

it.each([
  ['', 'id'],
  ['', 'kind'],
  ['lost', 'actor'],
  ['lost', 'pass'],
])('leaves %s the field %s to the schema', (text, key) => {
  expect(isUsualRecord({ ...complete, [key]: text === '' ? undefined : text })).toBe(false)
})
