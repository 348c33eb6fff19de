/** A host that shows one turn at a time: whatever becomes of the reviews, each kind must read every turn it has to learn from. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { takeDueReview } from './due-review.ts'
import { endReview, withoutStaleReview } from './review-lease.ts'
import { addDelta, newSessionRecord } from './session-record.ts'

const STALE_AFTER = 5

const aTurn = fc.record({
  /** Model steps with tools. */
  iterations: fc.nat(2),
  /** What becomes of the review that is under way after this turn; `lasts`: it goes on, or its process has died. */
  fate: fc.constantFrom('succeeds', 'fails', 'lasts'),
})

/** The turns that one kind of review has yet to read, and those that the one under way is reading. */
class Reading {
  #unread: string[] = []
  #taken: string[] = []

  said(text: string): void {
    this.#unread.push(text)
  }

  started(shown: string): void {
    expect(this.#unread.filter((text) => !shown.includes(text))).toEqual([])
    this.#taken = this.#unread
    this.#unread = []
  }

  ended(succeeded: boolean): void {
    if (!succeeded) this.#unread = [...this.#taken, ...this.#unread]
    this.#taken = []
  }
}

it('reads each turn once at least for memory, and each with tools for skills', () => {
  const interval = fc.integer({ min: 1, max: 5 })
  fc.assert(
    fc.property(interval, interval, fc.array(aTurn, { maxLength: 20 }), (memoryInterval, skillInterval, turns) => {
      const memory = new Reading()
      const skills = new Reading()
      const ended = (succeeded: boolean) => {
        for (const reading of [memory, skills]) reading.ended(succeeded)
      }
      let record = newSessionRecord('a', '', 0)
      for (const [at, { iterations, fate }] of turns.entries()) {
        const text = `turn ${at};`
        memory.said(text)
        if (iterations > 0) skills.said(text)
        const fresh = withoutStaleReview(record, at, STALE_AFTER)
        if (record.review && !fresh.review) ended(false)
        const counted = addDelta(fresh, { turns: 1, iterations }, at)
        const taken = takeDueReview(counted, [[{ role: 'user', text }]], { memoryInterval, skillInterval }, at)
        const shown = taken.due?.conversation.map((message) => message.text).join(' ') ?? ''
        if (taken.due?.memory) memory.started(shown)
        if (taken.due?.skills) skills.started(shown)
        record = taken.record
        if (record.review && fate !== 'lasts') {
          record = endReview(record, fate === 'succeeds')
          ended(fate === 'succeeds')
        }
      }
    }),
    { numRuns: 1_000, seed: 7 },
  )
})
