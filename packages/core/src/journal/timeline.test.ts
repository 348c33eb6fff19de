import { describe, expect, it } from 'vitest'
import type { JournalRecord } from './journal-record.ts'
import { toTimeline } from './timeline.ts'

const DAY = Date.UTC(2026, 10, 24, 12)

const record = (id: string, more: Partial<JournalRecord>): JournalRecord => ({
  id,
  at: DAY,
  actor: 'review',
  kind: 'applied',
  reason: 'yes',
  target: 'user',
  ...more,
})

const itemsOf = (...records: readonly JournalRecord[]) => toTimeline(records).flatMap(({ items }) => items)

describe('toTimeline', () => {
  it('tells what was learned, from whose words, and what it replaced, the oldest day first', () => {
    const days = toTimeline([
      record('b', {
        at: DAY + 86_400_000,
        op: { action: 'replace', oldText: 'Lisbon', content: 'Lives in Porto' },
        previous: ['Lives in Lisbon'],
      }),
      record('a', {
        op: { action: 'add', content: 'Lives in Lisbon' },
        origin: 'user',
        sessionId: 'chat',
        evidence: [{ quote: 'I live in Lisbon' }],
      }),
    ])
    expect(days).toMatchObject([
      {
        day: '2026-11-24',
        items: [{ id: 'a', event: 'learned', text: 'Lives in Lisbon', origin: 'user', sessionId: 'chat', quotes: ['I live in Lisbon'] }],
      },
      { day: '2026-11-25', items: [{ id: 'b', event: 'changed', text: 'Lives in Porto', before: 'Lives in Lisbon', quotes: [] }] },
    ])
  })

  it('tells what made room, and what was taken back at that alone', () => {
    const items = itemsOf(
      record('a', { op: { action: 'add', content: 'New' }, evicted: [{ text: 'Old', origin: 'user' }] }),
      record('u', { actor: 'person', op: { action: 'remove', oldText: 'New' }, previous: ['New'], undoes: ['a'] }),
    )
    expect(items).toMatchObject([
      { event: 'learned', text: 'New', takenBackBy: 'u' },
      { event: 'made-room', text: 'Old', takenBackBy: 'u' },
    ])
  })

  it('tells of what was taken back no more once that was taken back', () => {
    const learned = record('a', { op: { action: 'add', content: 'New' } })
    const undo = record('u', { at: DAY + 1, op: { action: 'remove', oldText: 'New' }, previous: ['New'], undoes: ['a'] })
    const again = record('v', { at: DAY + 2, op: { action: 'add', content: 'New' }, undoes: ['u'] })
    const [item] = itemsOf(again, undo, learned)
    expect(item).toMatchObject({ event: 'learned', text: 'New' })
    expect(item).not.toHaveProperty('takenBackBy')
  })

  it('tells what waits until it is decided, under the id of the proposal', () => {
    const held = record('h', { kind: 'held', pendingId: 'p1', op: { action: 'add', content: 'Held' } })
    expect(itemsOf(held)).toMatchObject([{ id: 'p1', event: 'waits', text: 'Held' }])
    expect(itemsOf(held, record('r', { kind: 'rejected', pendingId: 'p1', op: { action: 'add', content: 'Held' } }))).toEqual([])
  })

  it.each<[string, Partial<JournalRecord>, string, string]>([
    ['a new skill', { target: 'skill', op: { action: 'create', name: 'deploy', content: '' } }, 'learned', 'deploy'],
    [
      'a patch',
      { target: 'skill', op: { action: 'patch', name: 'deploy', oldText: 'a', newText: 'b' }, previous: ['a'] },
      'changed',
      'deploy',
    ],
    ['an archived skill', { target: 'skill', op: { action: 'archive', name: 'deploy' } }, 'archived', 'deploy'],
    ['a restored skill', { target: 'skill', upkeep: { action: 'restore', subject: 'deploy' } }, 'restored', 'deploy'],
    ['what was forgotten', { target: undefined, upkeep: { action: 'erase', after: '2 entries' } }, 'forgotten', '2 entries'],
  ])('tells of %s', (_, more, event, text) => {
    expect(itemsOf(record('a', more))).toMatchObject([{ event, text }])
  })

  it.each<[string, Partial<JournalRecord>]>([
    ['what was rejected', { kind: 'rejected', op: { action: 'add', content: 'x' } }],
    ['the end of a review', { kind: 'review-finished' }],
    ['a pin', { upkeep: { action: 'pin', subject: 'x' } }],
  ])('leaves out %s', (_, more) => {
    expect(toTimeline([record('a', more)])).toEqual([])
  })

  it('takes a moment for 20,000 records of one day', () => {
    const records = Array.from({ length: 20_000 }, (_, index) => record(`${index}`, { op: { action: 'add', content: 'x' } }))
    const begun = performance.now()
    expect(itemsOf(...records)).toHaveLength(20_000)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })
})
