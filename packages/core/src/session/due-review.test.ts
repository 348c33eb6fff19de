import { describe, expect, it } from 'vitest'
import { type TurnsToSave, takeDueReview } from './due-review.ts'
import { newSessionRecord, type SessionRecord } from './session-record.ts'
import { toUnreadTurn, type UnreadTurn } from './unread-turns.ts'

const said = (n: number) => [
  { role: 'user' as const, text: `question ${n}` },
  { role: 'assistant' as const, text: `answer ${n}` },
]
const turn = (n: number, more: Partial<UnreadTurn> = {}): UnreadTurn => ({ ...toUnreadTurn(said(n), false), ...more })
const ended = (n: number): TurnsToSave => ({ turns: [turn(n)], shown: said(n) })
const intervals = { memoryInterval: 10, skillInterval: 10 }
const options = { intervals, keepText: true, at: 5 }
const record = (more: Partial<SessionRecord>): SessionRecord => ({ ...newSessionRecord('a', '', 1), userTurns: 10, ...more })
const questions = (messages: readonly { readonly text: string }[] | undefined) =>
  messages?.map(({ text }) => text).filter((text) => text.startsWith('question'))
const unread = ({ unread: turns }: SessionRecord) => questions(turns.flatMap(({ messages }) => messages))

describe('takeDueReview', () => {
  it('takes nothing before an interval is full, and nothing without a finished turn', () => {
    expect(takeDueReview(record({ turnsSinceReview: 9, iterationsSinceReview: 9 }), ended(1), options).due).toBeUndefined()
    expect(takeDueReview(record({ turnsSinceReview: 10 }), { turns: [], shown: undefined }, options).due).toBeUndefined()
  })

  it('is one review where both fall due', () => {
    const { due, record: after } = takeDueReview(record({ turnsSinceReview: 10, iterationsSinceReview: 12 }), ended(1), options)
    expect(due).toMatchObject({ memory: true, skills: true, turns: 10, iterations: 12 })
    expect(after).toMatchObject({ turnsSinceReview: 0, iterationsSinceReview: 0 })
  })

  it('reads what no review of its kind has read, in order, whatever the host shows', () => {
    const turns = [turn(1, { readBy: 'memory', forSkills: true }), turn(2, { readBy: 'skills' }), turn(3)]
    const kindOf = (more: Partial<SessionRecord>) =>
      questions(takeDueReview(record({ ...more, unread: turns }), ended(4), options).due?.conversation)
    expect(kindOf({ turnsSinceReview: 10 })).toEqual(['question 2', 'question 3', 'question 4'])
    expect(kindOf({ iterationsSinceReview: 10 })).toEqual(['question 1', 'question 3', 'question 4'])
    expect(kindOf({ turnsSinceReview: 10, iterationsSinceReview: 10 })).toEqual(['question 1', 'question 2', 'question 3', 'question 4'])
  })

  it('starts none while one is under way; what falls due meanwhile stays due', () => {
    const busy = record({ turnsSinceReview: 10, review: { startedAt: 1 } })
    const { due, record: after } = takeDueReview(busy, ended(1), options)
    expect(due).toBeUndefined()
    expect(after.turnsSinceReview).toBe(10)
    expect(unread(after)).toEqual(['question 1'])
  })

  it('counts nothing for a review that is switched off, and keeps nothing for it', () => {
    const memoryOnly = takeDueReview(record({ turnsSinceReview: 10, iterationsSinceReview: 30 }), ended(3), {
      ...options,
      intervals: { memoryInterval: 10, skillInterval: 0 },
    })
    expect(memoryOnly.due).toMatchObject({ memory: true, skills: false })
    expect(memoryOnly.record).toMatchObject({ iterationsSinceReview: 0 })
    const skillsOnly = takeDueReview(record({ turnsSinceReview: 10, iterationsSinceReview: 30, unread: [turn(1)] }), ended(3), {
      ...options,
      intervals: { memoryInterval: 0, skillInterval: 10 },
    })
    expect(skillsOnly.due).toMatchObject({ memory: false, skills: true })
    expect(skillsOnly.record).toMatchObject({ turnsSinceReview: 0, unread: [] })
  })

  it('keeps no text where none is to be kept, and reads what the host shows', () => {
    const { due, record: after } = takeDueReview(record({ turnsSinceReview: 10, unread: [turn(1)] }), ended(3), {
      ...options,
      keepText: false,
    })
    expect(after.unread).toEqual([])
    expect(due?.conversation).toEqual(said(3))
  })

  it('tells which skills were loaded', () => {
    expect(takeDueReview(record({ iterationsSinceReview: 10, loadedSkills: ['deploy'] }), ended(1), options).due?.loadedSkills).toEqual([
      'deploy',
    ])
  })
})
