import { describe, expect, it } from 'vitest'
import { takeDueReview } from './due-review.ts'
import { newSessionRecord, type SessionRecord } from './session-record.ts'

const turn = (n: number) => [
  { role: 'user' as const, text: `question ${n}` },
  { role: 'assistant' as const, text: `answer ${n}` },
]
const intervals = { memoryInterval: 10, skillInterval: 10 }
const record = (more: Partial<SessionRecord>): SessionRecord => ({ ...newSessionRecord('a', '', 1), userTurns: 10, ...more })
const questions = (messages: readonly { readonly text: string }[] | undefined) =>
  messages?.map(({ text }) => text).filter((text) => text.startsWith('question'))

describe('takeDueReview', () => {
  it('takes nothing before an interval is full, and nothing without a finished turn', () => {
    expect(takeDueReview(record({ turnsSinceReview: 9, iterationsSinceReview: 9 }), [turn(1)], intervals, 5).due).toBeUndefined()
    expect(takeDueReview(record({ turnsSinceReview: 10 }), [], intervals, 5).due).toBeUndefined()
  })

  it('is one review where both fall due', () => {
    const { due, record: after } = takeDueReview(record({ turnsSinceReview: 10, iterationsSinceReview: 12 }), [turn(1)], intervals, 5)
    expect(due).toMatchObject({ memory: true, skills: true, turns: 10, iterations: 12 })
    expect(after).toMatchObject({ turnsSinceReview: 0, iterationsSinceReview: 0 })
  })

  it('reads the backlog for skills and leaves it for memory', () => {
    const backlog = [...turn(1), ...turn(2)]
    const { due, record: after } = takeDueReview(
      record({ turnsSinceReview: 3, iterationsSinceReview: 10, backlog }),
      [turn(3)],
      intervals,
      5,
    )
    expect(due).toMatchObject({ memory: false, skills: true, fromBacklog: true })
    expect(questions(due?.conversation)).toEqual(['question 1', 'question 2', 'question 3'])
    expect(questions(after.backlog)).toEqual(['question 1', 'question 2', 'question 3'])
  })

  it('shows the skill review what a memory review in between has read already', () => {
    const skillBacklog = [...turn(1), ...turn(2)]
    const due = (finished: ReturnType<typeof turn>, more: Partial<SessionRecord>) =>
      questions(takeDueReview(record({ iterationsSinceReview: 10, skillBacklog, ...more }), [finished], intervals, 5).due?.conversation)
    expect(due(turn(3), { turnsSinceReview: 1 })).toEqual(['question 1', 'question 2', 'question 3'])
    expect(due(turn(4), { turnsSinceReview: 2, backlog: turn(3) })).toEqual([1, 2, 3, 4].map((n) => `question ${n}`))
    // A host that shows a window: only what is new in it.
    expect(due([...turn(1), ...turn(2), ...turn(3)], { turnsSinceReview: 1 })).toEqual(['question 1', 'question 2', 'question 3'])
  })

  it('reads what a failed review has given back, though the count of turns began anew', () => {
    const backlog = [...turn(1), ...turn(2)]
    const { due } = takeDueReview(record({ turnsSinceReview: 1, iterationsSinceReview: 10, backlog }), [turn(3)], intervals, 5)
    expect(questions(due?.conversation)).toEqual(['question 1', 'question 2', 'question 3'])
    expect(due?.fromBacklog).toBe(true)
  })

  it('starts none beside one that is under way, and keeps it due', () => {
    const busy = record({ turnsSinceReview: 10, iterationsSinceReview: 10, review: { startedAt: 3, backlog: [] } })
    const { due, record: after } = takeDueReview(busy, [turn(1)], intervals, 5)
    expect(due).toBeUndefined()
    expect(after).toMatchObject({ turnsSinceReview: 10, iterationsSinceReview: 10 })
  })

  it('keeps nothing for a review that is switched off', () => {
    const backlog = [...turn(1), ...turn(2)]
    const memoryOnly = takeDueReview(
      record({ turnsSinceReview: 10, iterationsSinceReview: 30, backlog }),
      [turn(3)],
      { memoryInterval: 10, skillInterval: 0 },
      5,
    )
    expect(memoryOnly.due).toMatchObject({ memory: true, skills: false })
    expect(memoryOnly.record).toMatchObject({ iterationsSinceReview: 0 })
    expect(memoryOnly.record.review).not.toHaveProperty('keepForSkills')
    const skillsOnly = takeDueReview(
      record({ turnsSinceReview: 10, iterationsSinceReview: 30, backlog }),
      [turn(3)],
      { memoryInterval: 0, skillInterval: 10 },
      5,
    )
    expect(skillsOnly.due).toMatchObject({ memory: false, skills: true })
    expect(skillsOnly.record).toMatchObject({ turnsSinceReview: 0, backlog: [] })
  })

  it('tells which skills were loaded', () => {
    expect(
      takeDueReview(record({ iterationsSinceReview: 10, loadedSkills: ['deploy'] }), [turn(1)], intervals, 5).due?.loadedSkills,
    ).toEqual(['deploy'])
  })
})
