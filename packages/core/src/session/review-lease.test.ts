import { describe, expect, it } from 'vitest'
import { endReview, startReview, withoutStaleReview } from './review-lease.ts'
import { newSessionRecord, type SessionRecord } from './session-record.ts'

const says = (text: string) => ({ role: 'user', text }) as const
const texts = (messages: SessionRecord['backlog'] | undefined) => messages?.map(({ text }) => text)

const record: SessionRecord = {
  ...newSessionRecord('a', 'BLOCK', 1_000),
  userTurns: 9,
  turnsSinceReview: 9,
  iterationsSinceReview: 4,
  backlog: [says('x')],
}
const both = { memory: true, skills: true }
const memory = { memory: true, skills: false }
const skills = { memory: false, skills: true }

describe('the review of a session', () => {
  it('starts counting anew and takes the backlog along', () => {
    const started = startReview(record, 5_000, both)
    expect(started).toMatchObject({ turnsSinceReview: 0, iterationsSinceReview: 0, backlog: [], userTurns: 9 })
    expect(started.review).toEqual({ startedAt: 5_000, backlog: [says('x')], skills: true })
  })

  it('leaves nothing behind when it succeeds', () => {
    const ended = endReview(startReview(record, 5_000, both), true)
    expect(ended).toMatchObject({ backlog: [], turnsSinceReview: 0 })
    expect(ended).not.toHaveProperty('review')
    expect(ended).not.toHaveProperty('skillBacklog')
  })

  it('gives back what it took when it fails, in front of what was said since', () => {
    const started = startReview(record, 5_000, both)
    expect(texts(endReview({ ...started, backlog: [says('y')] }, false).backlog)).toEqual(['x', 'y'])
  })

  it('counts as failed when its process has died', () => {
    const started = startReview(record, 5_000, both)
    expect(withoutStaleReview(started, 6_000, 1_000).review).toBeDefined()
    expect(withoutStaleReview(started, 6_001, 1_000)).toMatchObject({ backlog: [says('x')] })
    expect(withoutStaleReview(started, 6_001, 1_000).review).toBeUndefined()
  })

  it('of skills alone leaves turns and backlog to the memory review', () => {
    const started = startReview(record, 5_000, skills)
    expect(started).toMatchObject({ turnsSinceReview: 9, iterationsSinceReview: 0, backlog: [says('x')] })
    for (const succeeded of [true, false]) expect(texts(endReview(started, succeeded).backlog)).toEqual(['x'])
  })

  it('of memory alone leaves the tool steps to the skill review, and what it has read itself', () => {
    const ended = endReview(startReview(record, 5_000, memory), true)
    expect(ended).toMatchObject({ turnsSinceReview: 0, iterationsSinceReview: 4, backlog: [] })
    expect(texts(ended.skillBacklog)).toEqual(['x'])
    const again = endReview(startReview({ ...ended, backlog: [says('y')] }, 6_000, memory), true)
    expect(texts(again.skillBacklog)).toEqual(['x', 'y'])
    expect(endReview(startReview(again, 7_000, skills), true)).not.toHaveProperty('skillBacklog')
    expect(texts(endReview(startReview(again, 7_000, skills), false).skillBacklog)).toEqual(['x', 'y'])
  })

  it('of memory alone that failed keeps nothing twice', () => {
    const ended = endReview(startReview(record, 5_000, memory), false)
    expect(texts(ended.backlog)).toEqual(['x'])
    expect(ended).not.toHaveProperty('skillBacklog')
  })

  it('of skills that failed is made up for, though a review of memory takes the backlog before any other tool is used', () => {
    for (const scope of [skills, both]) {
      const failed = endReview(startReview(record, 5_000, scope), false)
      const taken = endReview(startReview(failed, 6_000, memory), true)
      expect(texts(taken.skillBacklog)).toEqual(['x'])
      expect(taken).not.toHaveProperty('skillsUnread')
      const failedTwice = endReview(startReview(failed, 6_000, memory), false)
      expect(texts(endReview(startReview(failedTwice, 7_000, memory), true).skillBacklog)).toEqual(['x'])
    }
  })

  it('keeps nothing for skills where no tool was used', () => {
    expect(endReview(startReview({ ...record, iterationsSinceReview: 0 }, 5_000, memory), true)).not.toHaveProperty('skillBacklog')
  })
})
