/** Processes store, deliver, die and erase in any order: nothing is lost without a word, nothing is reordered, nothing erased is left. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { ALIVE_MS, changeOutbox, fitting, hasAbandoned, MAX_BYTES, MAX_ITEMS, withoutErased } from './plan-outbox.ts'
import { EMPTY_OUTBOX, type OutboxDocument, sizeOf, type WaitingItem } from './provider-items.ts'

const turn = (id: string, by: string, user = id): WaitingItem => ({
  kind: 'turn',
  id,
  by,
  at: 0,
  sessionId: `chat-${id.length % 3}`,
  user,
  assistant: '',
  automated: false,
})

const processes = ['a', 'b', 'c'] as const
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), by: fc.constantFrom(...processes), count: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('deliver' as const), by: fc.constantFrom(...processes) }),
  fc.record({ kind: fc.constant('tidy' as const), by: fc.constantFrom(...processes) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: ALIVE_MS }) }),
  fc.record({ kind: fc.constant('forget' as const), digit: fc.integer({ min: 0, max: 9 }) }),
)

describe('what waits for delivery', () => {
  it('is delivered in order by each process, at least once, unless it was erased', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let document: OutboxDocument = EMPTY_OUTBOX
        let at = 1_000
        let next = 0
        const added: string[] = []
        const erased = new Set<string>()
        const doneBy = new Map<string, Set<string>>(processes.map((each) => [each, new Set()]))
        const delivered: string[] = []
        const change = (self: string, more: readonly WaitingItem[]) => {
          const done = doneBy.get(self) ?? new Set()
          const planned = changeOutbox(document, { self, at, aliveUntil: at + ALIVE_MS, added: more, delivered: done })
          expect(planned.dropped).toBe(0)
          document = planned.document
          doneBy.set(self, new Set())
        }
        for (const each of steps) {
          if (each.kind === 'wait') at += each.ms
          else if (each.kind === 'add') {
            const more = Array.from({ length: each.count }, () => turn(String(next++), each.by))
            added.push(...more.map(({ id }) => id))
            change(each.by, more)
            expect(hasAbandoned(document, { self: each.by, at })).toBe(false)
          } else if (each.kind === 'tidy') change(each.by, [])
          else if (each.kind === 'deliver') {
            const done = doneBy.get(each.by) ?? new Set()
            const own = document.items.find(({ by, id }) => by === each.by && !done.has(id))
            if (own) {
              delivered.push(own.id)
              done.add(own.id)
            }
          } else {
            const matches = (text: string) => text.endsWith(String(each.digit))
            for (const { id } of document.items) if (matches(id)) erased.add(id)
            document = withoutErased(document, { kind: 'text', text: '', matches, dryRun: false }).document
            expect(document.items.some(({ id }) => matches(id))).toBe(false)
          }
          const ids = document.items.map(({ id }) => Number(id))
          expect(ids).toEqual(ids.toSorted((a, b) => a - b))
          expect(new Set(document.items.map(({ by }) => by))).toEqual(new Set(Object.keys(document.processes)))
        }
        const waiting = new Set(document.items.map(({ id }) => id))
        for (const id of added) expect(delivered.includes(id) || waiting.has(id) || erased.has(id)).toBe(true)
      }),
      { seed: 41, numRuns: rounds(500) },
    )
  })

  it('never exceeds its bounds, and loses the oldest first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 30 }), (sizes) => {
        const items = sizes.map((size, index) => turn(String(index), 'a', 'x'.repeat(size)))
        const { items: kept, dropped } = fitting(items)
        expect(kept).toEqual(items.slice(dropped))
        expect(kept.reduce((sum, item) => sum + sizeOf(item), 0)).toBeLessThanOrEqual(MAX_BYTES)
        const before = items[dropped - 1]
        if (before) expect([before, ...kept].reduce((sum, item) => sum + sizeOf(item), 0)).toBeGreaterThan(MAX_BYTES)
      }),
      { seed: 42, numRuns: rounds(100) },
    )
    const many = Array.from({ length: MAX_ITEMS + 7 }, (_, index) => turn(String(index), 'a'))
    expect(fitting(many)).toEqual({ items: many.slice(7), dropped: 7 })
    const added = changeOutbox(EMPTY_OUTBOX, { self: 'a', at: 0, aliveUntil: 1, added: many, delivered: new Set() })
    expect(added).toMatchObject({ dropped: 7, document: { items: { length: MAX_ITEMS } } })
  })

  it('leaves the items of a living process to it', () => {
    const stored = changeOutbox(EMPTY_OUTBOX, {
      self: 'a',
      at: 0,
      aliveUntil: ALIVE_MS,
      added: [turn('1', 'a')],
      delivered: new Set(),
    }).document
    const seenAt = (at: number) =>
      changeOutbox(stored, { self: 'b', at, aliveUntil: at + 1, added: [], delivered: new Set() }).document.items
    expect(hasAbandoned(stored, { self: 'b', at: ALIVE_MS - 1 })).toBe(false)
    expect(seenAt(ALIVE_MS - 1)).toEqual([turn('1', 'a')])
    expect(hasAbandoned(stored, { self: 'b', at: ALIVE_MS })).toBe(true)
    expect(seenAt(ALIVE_MS)).toEqual([turn('1', 'b')])
    // The clock was set back by a day since.
    expect(seenAt(-86_400_000)).toEqual([turn('1', 'b')])
  })
})
