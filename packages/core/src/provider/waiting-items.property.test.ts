/** Processes store, deliver, die and erase in any order: nothing is lost without a word, nothing is reordered, nothing erased is left. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { changeItems, fitting, isErased, MAX_BYTES, MAX_ITEMS, sizeOf, type WaitingItem, type WaitingItems } from './waiting-items.ts'

const LEASE_MS = 60_000

const turn = (id: string, holder: string, until = 0, user = id): WaitingItem => ({
  kind: 'turn',
  id,
  holder,
  until,
  at: 0,
  sessionId: `chat-${id.length % 3}`,
  user,
  assistant: '',
  automated: false,
})

const NOBODY: ReadonlySet<string> = new Set()

const changeOf = (holder: string, at: number) => ({
  holder,
  at,
  until: at + LEASE_MS,
  neededUntil: at + LEASE_MS / 2,
  added: [],
  delivered: NOBODY,
})

const processes = ['a', 'b', 'c'] as const
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), by: fc.constantFrom(...processes), count: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('deliver' as const), by: fc.constantFrom(...processes) }),
  fc.record({ kind: fc.constant('sync' as const), by: fc.constantFrom(...processes) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: LEASE_MS }) }),
  fc.record({ kind: fc.constant('forget' as const), digit: fc.integer({ min: 0, max: 9 }) }),
)

describe('what waits for delivery', () => {
  it('is delivered in order by each process, at least once, unless it was erased', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let items: WaitingItems = []
        let at = 1_000
        let next = 0
        const added: string[] = []
        const erased = new Set<string>()
        const doneBy = new Map<string, Set<string>>(processes.map((each) => [each, new Set()]))
        const delivered: string[] = []
        const sync = (holder: string, more: WaitingItems) => {
          const before = items
          const change = { ...changeOf(holder, at), added: more, delivered: doneBy.get(holder) ?? NOBODY }
          const changed = changeItems(items, change)
          expect(changed.dropped).toBe(0)
          items = changed.items
          doneBy.set(holder, new Set())
          // Nobody takes the items of a holder that lives, and none of the others stays with one that has gone.
          const holderBefore = (id: string) => before.find((each) => each.id === id)
          for (const { id, holder: now } of items) {
            const was = holderBefore(id)
            if (was && was.holder !== holder) expect(now).toBe(was.until > at ? was.holder : holder)
          }
          expect(changeItems(items, { ...change, added: [], delivered: NOBODY }).items).toBe(items)
        }
        for (const each of steps) {
          if (each.kind === 'wait') at += each.ms
          else if (each.kind === 'add') {
            const more = Array.from({ length: each.count }, () => turn(String(next++), each.by, at + LEASE_MS))
            added.push(...more.map(({ id }) => id))
            sync(each.by, more)
          } else if (each.kind === 'sync') sync(each.by, [])
          else if (each.kind === 'deliver') {
            const done = doneBy.get(each.by) ?? new Set()
            const own = items.find(({ holder, id }) => holder === each.by && !done.has(id))
            if (own) {
              delivered.push(own.id)
              done.add(own.id)
            }
          } else {
            const matches = (text: string) => text.endsWith(String(each.digit))
            for (const { id } of items) if (matches(id)) erased.add(id)
            items = items.filter((item) => !isErased(item, { kind: 'text', text: '', matches, dryRun: false }))
            expect(items.some(({ id }) => matches(id))).toBe(false)
          }
          const ids = items.map(({ id }) => Number(id))
          expect(ids).toEqual(ids.toSorted((a, b) => a - b))
        }
        const waiting = new Set(items.map(({ id }) => id))
        for (const id of added) expect(delivered.includes(id) || waiting.has(id) || erased.has(id)).toBe(true)
      }),
      { seed: 41, numRuns: rounds(500) },
    )
  })

  it('never exceeds its bounds, and loses the oldest first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 30 }), (sizes) => {
        const items = sizes.map((size, index) => turn(String(index), 'a', 0, 'x'.repeat(size)))
        const { items: kept, dropped } = fitting(items)
        expect(kept).toEqual(items.slice(dropped))
        expect(kept.reduce((sum, item) => sum + sizeOf(item), 0)).toBeLessThanOrEqual(MAX_BYTES)
        const before = items[dropped - 1]
        if (before) expect([before, ...kept].reduce((sum, item) => sum + sizeOf(item), 0)).toBeGreaterThan(MAX_BYTES)
      }),
      { seed: 42, numRuns: rounds(100) },
    )
    const many = Array.from({ length: MAX_ITEMS + 7 }, (_, index) => turn(String(index), 'a', LEASE_MS))
    expect(fitting(many)).toEqual({ items: many.slice(7), dropped: 7 })
    expect(changeItems([], { ...changeOf('a', 0), added: many })).toMatchObject({ dropped: 7, items: { length: MAX_ITEMS } })
  })

  it('leaves the items of a living process to it', () => {
    const stored = [turn('1', 'a', LEASE_MS)]
    const seenAt = (at: number) => changeItems(stored, changeOf('b', at)).items
    expect(seenAt(LEASE_MS - 1)).toBe(stored)
    expect(seenAt(LEASE_MS)).toEqual([turn('1', 'b', 2 * LEASE_MS)])
    // The clock was set back by a day since.
    expect(seenAt(-86_400_000)).toEqual([turn('1', 'b', -86_400_000 + LEASE_MS)])
  })

  it('gets a new lease in time while its holder works', () => {
    const stored = [turn('1', 'a', LEASE_MS)]
    expect(changeItems(stored, changeOf('a', LEASE_MS / 2)).items).toBe(stored)
    expect(changeItems(stored, changeOf('a', LEASE_MS / 2 + 1)).items).toEqual([turn('1', 'a', 1.5 * LEASE_MS + 1)])
  })
})
