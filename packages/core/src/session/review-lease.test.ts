import { describe, expect, it } from 'vitest'
import { endReview, startReview, withoutStaleReview } from './review-lease.ts'
import { newSessionRecord, type SessionRecord } from './session-record.ts'
import type { UnreadTurn } from './unread-turns.ts'

const turn = (text: string, more: Partial<UnreadTurn> = {}): UnreadTurn => ({ messages: [{ role: 'user', text }], ...more })
const texts = ({ unread }: SessionRecord) => unread.map(({ messages }) => messages[0]?.text)

const intervals = { memoryInterval: 10, skillInterval: 10 }
const record: SessionRecord = {
  ...newSessionRecord('a', 'BLOCK', 1_000),
  userTurns: 9,
  turnsSinceReview: 9,
  iterationsSinceReview: 4,
  unread: [turn('plain'), turn('work', { tools: true, forSkills: true })],
}
const both = { memory: true, skills: true }
const memory = { memory: true, skills: false }
const skills = { memory: false, skills: true }

describe('the review of a session', () => {
  it('starts counting anew and leaves what it reads in the record, marked', () => {
    const started = startReview(record, 5_000, both)
    expect(started).toMatchObject({ turnsSinceReview: 0, iterationsSinceReview: 0, userTurns: 9 })
    expect(started.review).toEqual({ startedAt: 5_000, memory: true, skills: true, turns: 9, iterations: 4 })
    expect(started.unread.every(({ taken }) => taken)).toBe(true)
  })

  it('leaves nothing behind when it has read both for both', () => {
    const ended = endReview(startReview(record, 5_000, both), 'read', intervals)
    expect(ended.unread).toEqual([])
    expect(ended).not.toHaveProperty('review')
  })

  it('gives back what it took when it fails, in front of what was said since, and not its counts', () => {
    const started = startReview(record, 5_000, both)
    const ended = endReview({ ...started, unread: [...started.unread, turn('later')] }, 'failed', intervals)
    expect(texts(ended)).toEqual(['plain', 'work', 'later'])
    expect(ended.unread.some(({ taken }) => taken)).toBe(false)
    expect(ended).toMatchObject({ turnsSinceReview: 0, iterationsSinceReview: 0 })
  })

  it('gives back its counts as well when it was stopped, on top of what came since', () => {
    const started = startReview(record, 5_000, memory)
    const ended = endReview({ ...started, turnsSinceReview: 2, iterationsSinceReview: 5 }, 'stopped', intervals)
    expect(ended).toMatchObject({ turnsSinceReview: 11, iterationsSinceReview: 5 })
    expect(texts(ended)).toEqual(['plain', 'work'])
  })

  it('counts as failed when its process has died', () => {
    const started = startReview(record, 5_000, both)
    expect(withoutStaleReview(started, 6_000, 1_000, intervals).review).toBeDefined()
    const freed = withoutStaleReview(started, 6_001, 1_000, intervals)
    expect(freed.review).toBeUndefined()
    expect(freed).toMatchObject({ turnsSinceReview: 0 })
    expect(texts(freed)).toEqual(['plain', 'work'])
  })

  it('of skills alone leaves the turns to the memory review, and reads none twice', () => {
    const ended = endReview(startReview(record, 5_000, skills), 'read', intervals)
    expect(ended).toMatchObject({ turnsSinceReview: 9, iterationsSinceReview: 0 })
    expect(texts(ended)).toEqual(['plain', 'work'])
    const next = startReview({ ...ended, unread: [...ended.unread, turn('later', { tools: true, forSkills: true })] }, 6_000, skills)
    expect(next.unread.map(({ taken = false }) => taken)).toEqual([false, false, true])
    expect(endReview(startReview(ended, 7_000, memory), 'read', intervals).unread).toEqual([])
  })

  it('of memory alone leaves the work to the skill review, and nothing else', () => {
    const ended = endReview(startReview(record, 5_000, memory), 'read', intervals)
    expect(ended).toMatchObject({ turnsSinceReview: 0, iterationsSinceReview: 4 })
    expect(texts(ended)).toEqual(['work'])
    expect(endReview(startReview(ended, 7_000, skills), 'read', intervals).unread).toEqual([])
    expect(texts(endReview(startReview(ended, 7_000, skills), 'failed', intervals))).toEqual(['work'])
  })

  it('keeps nothing for a review that can never come', () => {
    expect(endReview(startReview(record, 5_000, memory), 'read', { memoryInterval: 10, skillInterval: 0 }).unread).toEqual([])
    expect(endReview(startReview(record, 5_000, skills), 'read', { memoryInterval: 0, skillInterval: 10 }).unread).toEqual([])
  })
})
