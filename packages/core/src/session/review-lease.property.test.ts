/** Whatever becomes of the reviews: each turn is read once for memory, and each with tools once for skills; given back, it is read by the next. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { takeDueReview } from './due-review.ts'
import { endReview, withoutStaleReview } from './review-lease.ts'
import { addDelta, newSessionRecord } from './session-record.ts'
import { toUnreadTurn } from './unread-turns.ts'

const STALE_AFTER = 5

const aTurn = fc.record({
  /** Model steps with tools. */
  iterations: fc.nat(2),
  /** What becomes of the review that is under way after this turn; `lasts`: it goes on, or its process has died. */
  fate: fc.constantFrom('read', 'failed', 'stopped', 'lasts'),
})

/** The turns that one kind of review has yet to read, and those that the one under way is reading. */
class Reading {
  unread: string[] = []
  #taken: string[] = []

  said(text: string): void {
    this.unread.push(text)
  }

  started(shown: string): void {
    expect(this.unread.filter((text) => !shown.includes(text))).toEqual([])
    this.#taken = this.unread
    this.unread = []
  }

  ended(isRead: boolean): void {
    if (!isRead) this.unread = [...this.#taken, ...this.unread]
    this.#taken = []
  }
}

it('reads each turn once', () => {
  const interval = fc.integer({ min: 1, max: 5 })
  fc.assert(
    fc.property(interval, interval, fc.array(aTurn, { maxLength: 20 }), (memoryInterval, skillInterval, turns) => {
      const intervals = { memoryInterval, skillInterval }
      const memory = new Reading()
      const skills = new Reading()
      const ended = (isRead: boolean) => {
        for (const reading of [memory, skills]) reading.ended(isRead)
      }
      let record = newSessionRecord('a', '', 0)
      for (const [at, { iterations, fate }] of turns.entries()) {
        const text = `turn ${at};`
        memory.said(text)
        if (iterations > 0) skills.said(text)
        const fresh = withoutStaleReview(record, at, STALE_AFTER, intervals)
        if (record.review && !fresh.review) ended(false)
        const counted = addDelta(fresh, { turns: 1, iterations }, at)
        const said = [{ role: 'user', text }] as const
        const taken = takeDueReview(
          counted,
          { turns: [toUnreadTurn(said, iterations > 0)], shown: said },
          { intervals, keepText: true, at },
        )
        const shown = taken.due?.conversation.map((message) => message.text).join(' ') ?? ''
        if (taken.due?.memory) memory.started(shown)
        if (taken.due?.skills) skills.started(shown)
        record = taken.record
        if (record.review && fate !== 'lasts') {
          record = endReview(record, fate, intervals)
          ended(fate === 'read')
        }
      }
      const kept = record.unread.flatMap(({ messages }) => messages.map(({ text }) => text))
      for (const text of [...memory.unread, ...skills.unread]) expect(kept).toContain(text)
      expect(new Set(kept).size).toBe(kept.length)
    }),
    { numRuns: 1_000, seed: 7 },
  )
})
