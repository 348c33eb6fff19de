/** Processes store, deliver, die and erase in any order: nothing is lost without a word, nothing is reordered, nothing erased is left. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import {
  EMPTY_LIST,
  fitting,
  isErased,
  leaveList,
  MAX_BYTES,
  MAX_ITEMS,
  mayDeliver,
  sizeOf,
  takeList,
  type WaitingItem,
  type WaitingList,
} from './waiting-list.ts'

const LEASE_MS = 60_000

const turn = (id: string, user = id): WaitingItem => ({
  kind: 'turn',
  id,
  at: 0,
  sessionId: `chat-${id.length % 3}`,
  user,
  assistant: '',
  automated: false,
})

const deliveryOf = (holder: string, at: number) => ({ holder, at, leaseMs: LEASE_MS })

const by = fc.constantFrom('a', 'b', 'c')
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), by, count: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('deliver' as const), by }),
  fc.record({ kind: fc.constant('leave' as const), by }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: LEASE_MS }) }),
  fc.record({ kind: fc.constant('forget' as const), digit: fc.integer({ min: 0, max: 9 }) }),
)

describe('what waits for delivery', () => {
  it('is delivered in order by one process at a time, unless it was erased', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let list: WaitingList = EMPTY_LIST
        let at = 1_000
        let next = 0
        const delivered: string[] = []
        const erased = new Set<string>()
        for (const each of steps) {
          if (each.kind === 'wait') at += each.ms
          else if (each.kind === 'leave') list = leaveList(list, each.by)
          else if (each.kind === 'forget') {
            const matches = (text: string) => text.endsWith(String(each.digit))
            const target = { kind: 'text', text: '', matches, dryRun: false } as const
            for (const item of list.items) if (isErased(item, target)) erased.add(item.id)
            list = { ...list, items: list.items.filter((item) => !isErased(item, target)) }
            expect(list.items.some(({ id }) => matches(id))).toBe(false)
          } else {
            const more = each.kind === 'add' ? Array.from({ length: each.count }, () => turn(String(next++))) : []
            const { lease } = list
            list = takeList({ ...list, items: [...list.items, ...more] }, deliveryOf(each.by, at))
            const isOthers = lease !== undefined && lease.holder !== each.by && lease.until > at
            expect(mayDeliver(list, deliveryOf(each.by, at))).toBe(!isOthers)
            if (list.items.length > 0) expect(list.lease?.holder).toBe(isOthers ? lease.holder : each.by)
            expect(takeList(list, deliveryOf(each.by, at))).toBe(list)
            const [item] = list.items
            if (each.kind === 'deliver' && item && !isOthers) {
              delivered.push(item.id)
              list = { ...list, items: list.items.slice(1) }
            }
          }
        }
        const all = Array.from({ length: next }, (_, id) => String(id))
        const waiting = list.items.map(({ id }) => id)
        expect([...delivered, ...waiting]).toEqual(all.filter((id) => !erased.has(id)))
      }),
      { seed: 41, numRuns: rounds(500) },
    )
  })

  it('never exceeds its bounds, and loses the oldest first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 30 }), (sizes) => {
        const items = sizes.map((size, index) => turn(String(index), 'x'.repeat(size)))
        const { items: kept, dropped } = fitting(items)
        expect(kept).toEqual(items.slice(dropped))
        expect(kept.reduce((sum, item) => sum + sizeOf(item), 0)).toBeLessThanOrEqual(MAX_BYTES)
        const before = items[dropped - 1]
        if (before) expect([before, ...kept].reduce((sum, item) => sum + sizeOf(item), 0)).toBeGreaterThan(MAX_BYTES)
      }),
      { seed: 42, numRuns: rounds(100) },
    )
    const many = Array.from({ length: MAX_ITEMS + 7 }, (_, index) => turn(String(index)))
    expect(fitting(many)).toEqual({ items: many.slice(7), dropped: 7 })
  })

  it('is left to a living process, and taken when its lease has ended or its clock was set back', () => {
    const list = takeList({ ...EMPTY_LIST, items: [turn('1')] }, deliveryOf('a', 0))
    expect(list.lease).toEqual({ holder: 'a', until: LEASE_MS })
    const seenAt = (at: number) => takeList(list, deliveryOf('b', at))
    expect(seenAt(LEASE_MS - 1)).toBe(list)
    expect(seenAt(LEASE_MS).lease).toEqual({ holder: 'b', until: 2 * LEASE_MS })
    expect(seenAt(-86_400_000).lease).toEqual({ holder: 'b', until: -86_400_000 + LEASE_MS })
  })

  it('gets a new lease in time while its holder works', () => {
    const list = takeList({ ...EMPTY_LIST, items: [turn('1')] }, deliveryOf('a', 0))
    expect(takeList(list, deliveryOf('a', LEASE_MS / 2))).toBe(list)
    expect(takeList(list, deliveryOf('a', LEASE_MS / 2 + 1)).lease).toEqual({ holder: 'a', until: 1.5 * LEASE_MS + 1 })
  })
})
