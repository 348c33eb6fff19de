import { describe, expect, it } from 'vitest'
import { addTurns } from './plan-save.ts'
import { newSessionRecord, type SessionRecord } from './session-record.ts'
import { toUnreadTurn, type UnnumberedTurn, type UnreadTurn } from './unread-turns.ts'

const turn = (n: number, more: Partial<UnnumberedTurn> = {}): UnnumberedTurn => ({
  ...toUnreadTurn([{ role: 'user', text: `question ${n}` }], false),
  ...more,
})
const kept = (n: number, more: Partial<UnreadTurn> = {}): UnreadTurn => ({ ...turn(n), number: n, ...more })
const record = (more: Partial<SessionRecord>): SessionRecord => ({ ...newSessionRecord('a', '', 1), ...more })
const NOTHING = { words: 0, everything: 0, skills: 0 }
const keepText = { intervals: { memoryInterval: 10, skillInterval: 10 }, read: NOTHING, keepText: true }
const questions = ({ unread }: SessionRecord) => unread.map(({ messages }) => messages[0]?.text)

describe('addTurns', () => {
  it('numbers the turns up to the count of the record', () => {
    const { record: after } = addTurns(record({ userTurns: 5, unread: [kept(3)] }), [turn(4), turn(5)], keepText)
    expect(after.unread.map(({ number }) => number)).toEqual([3, 4, 5])
    // More texts than counted turns: a history whose turns were counted elsewhere.
    expect(addTurns(record({ userTurns: 1 }), [turn(1), turn(2)], keepText).record.unread.map(({ number }) => number)).toEqual([1, 1])
  })

  it('drops what has been read, and keeps what a review has yet to read', () => {
    const unread = [kept(1), kept(2, { forSkills: true }), kept(3, { outside: true }), kept(4)]
    const read = { words: 3, everything: 2, skills: 0 }
    const { record: after } = addTurns(record({ userTurns: 5, unread }), [turn(5)], { ...keepText, read })
    expect(questions(after)).toEqual(['question 2', 'question 3', 'question 4', 'question 5'])
  })

  it('keeps nothing for a review that is switched off', () => {
    const unread = [kept(1), kept(2, { forSkills: true })]
    const only = (intervals: { readonly memoryInterval: number; readonly skillInterval: number }) =>
      questions(addTurns(record({ userTurns: 3, unread }), [turn(3)], { ...keepText, intervals }).record)
    expect(only({ memoryInterval: 10, skillInterval: 0 })).toEqual(['question 1', 'question 2', 'question 3'])
    expect(only({ memoryInterval: 0, skillInterval: 10 })).toEqual(['question 2'])
    expect(only({ memoryInterval: 0, skillInterval: 0 })).toEqual([])
  })

  it('knows for each turn whether text from outside was in context before it, across saves', () => {
    const first = addTurns(record({ userTurns: 3 }), [turn(1), turn(2, { outside: true }), turn(3)], keepText)
    expect(first.record.unread.map(({ tainted = false }) => tainted)).toEqual([false, false, true])
    const { record: after } = addTurns({ ...first.record, userTurns: 4 }, [turn(4)], keepText)
    expect(after.tainted).toBe(true)
    expect(after.unread.map(({ tainted = false }) => tainted)).toEqual([false, false, true, true])
  })

  it('keeps the taint if no text is kept, and takes that of a history that the host shows', () => {
    const noText = addTurns(record({ userTurns: 2, unread: [kept(1)] }), [turn(2, { outside: true })], { ...keepText, keepText: false })
    expect(noText).toMatchObject({ record: { unread: [], tainted: true }, dropped: 0 })
    const history = addTurns(record({ userTurns: 1 }), [turn(1, { tainted: true })], keepText)
    expect(history.record).toMatchObject({ tainted: true, unread: [{ tainted: true }] })
  })

  it('says how many turns found no room', () => {
    const long = (n: number) => turn(n, { messages: [{ role: 'user', text: `question ${n} ${'x'.repeat(7_900)}` }] })
    const many = Array.from({ length: 20 }, (_, index) => long(index + 1))
    const { record: after, dropped } = addTurns(record({ userTurns: 20 }), many, keepText)
    expect(dropped).toBe(20 - after.unread.length)
    expect(dropped).toBeGreaterThan(0)
    expect(after.unread.at(-1)?.number).toBe(20)
  })
})
