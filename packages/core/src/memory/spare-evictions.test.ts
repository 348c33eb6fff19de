import { describe, expect, it } from 'vitest'
import { ok } from '../shared/result.ts'
import { countUsedChars } from './char-budget.ts'
import type { EntryFacts } from './entry-facts.ts'
import { type ChangeRequest, planChange } from './plan-change.ts'
import { withSpareEvictions } from './spare-evictions.ts'

const COUNT = 40
const entries = Array.from({ length: COUNT }, (_, index) => `e${String(index).padStart(2, '0')}`)
const facts = (entry: string, index = 0): EntryFacts => ({ entry, origin: 'assistant', firstSeenAt: index, lastConfirmedAt: index })

/** A full store of `COUNT` entries of one size, the oldest first, to which one more is added. */
const full = (charLimit = countUsedChars(entries)): ChangeRequest => ({
  target: 'memory',
  charLimit,
  batch: false,
  ops: [ok({ action: 'add', content: 'new' })],
  room: { source: undefined, facts: new Map(entries.map((text, index) => [text, facts(text, index)])) },
})

const planOf = (request: ChangeRequest) => {
  const planned = planChange(entries, request)
  if (!planned.ok) throw planned.error
  return planned.value
}

describe('evictions that other writers may force', () => {
  it.each([
    [0, 1],
    [1, 5],
    [2, 17],
    [3, 17],
    [9, 17],
  ])('after %d failed attempts, %d entries have a copy', (attempts, count) => {
    const planned = planOf(full())
    const spared = withSpareEvictions(entries, full(), planned, attempts)
    expect(spared.evicted.map(({ text }) => text)).toEqual(entries.slice(0, count))
    expect(spared.entries).toEqual([...entries.slice(count), 'new'])
    expect({ ...spared, evicted: planned.evicted, entries: planned.entries }).toEqual(planned)
  })

  it('are none for a change that evicts nothing', () => {
    const roomy = full(countUsedChars(entries) + 100)
    const planned = planOf(roomy)
    expect(planned.evicted).toEqual([])
    expect(withSpareEvictions(entries, roomy, planned, 1)).toBe(planned)
  })

  it.each([
    [1, 3, 3],
    [2, 10, 9],
    [2, 17, 17],
    [2, 2, 2],
  ])('after %d failed attempts, in a store with %d entries to evict, %d have a copy', (attempts, evictable, count) => {
    const room = { source: undefined, facts: new Map(entries.slice(0, evictable).map((text, index) => [text, facts(text, index)])) }
    const request = { ...full(), room }
    const spared = withSpareEvictions(entries, request, planOf(request), attempts)
    expect(spared.evicted.map(({ text }) => text)).toEqual(entries.slice(0, count))
  })

  it('are none if the store has no more to evict', () => {
    const request = full()
    const room = { source: undefined, facts: new Map([['e00', facts('e00')]]) }
    const planned = planOf({ ...request, room })
    expect(withSpareEvictions(entries, { ...request, room }, planned, 1)).toBe(planned)
  })
})
