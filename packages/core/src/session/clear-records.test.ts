import { describe, expect, it } from 'vitest'
import { EMPTY_REVIEW_STATE, newReading, type SessionReading } from '../nudge/review-state.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { updateDocument } from '../storage/one-document.ts'
import { clearRecords } from './collect-turns.ts'
import { countsOf, newSessionRecord, type SessionRecord, sessionPath } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'

const turn = (number: number) => ({ number, messages: [{ role: 'user' as const, text: 'I live in Namur' }] })
const record: SessionRecord = { ...newSessionRecord('one', '', 1), userTurns: 3, iterations: 3, unread: [1, 2, 3].map(turn) }

/** How far the home knows that the session was read. */
const reading = (more: Partial<SessionReading> = {}): SessionReading => ({
  ...newReading({ ...countsOf(record), reviewed: { turns: 0, iterations: 0 } }),
  ...more,
})
const readTo = (number: number): Partial<SessionReading> => ({ read: { words: number, everything: number, skills: 0 } })

/** What is left of the record `one`, and what the home then knows. */
const clear = async (
  sessions: readonly SessionReading[],
  {
    read = ['one'],
    gone = [],
    stored = record,
  }: { read?: readonly string[]; gone?: readonly SessionReading[]; stored?: SessionRecord | 'broken' } = {},
) => {
  const storage = inMemoryBackend()
  if (stored === 'broken') await updateDocument(storage, sessionPath('one'), () => new TextEncoder().encode('{'))
  else await updateJsonDocument(storage, sessionPath('one'), sessionRecordSchema, () => stored)
  const cut = await storage.read(read.map(sessionPath))
  if (!cut.ok) throw cut.error
  const intervals = { memoryInterval: 10, skillInterval: 10 }
  const { state, put } = clearRecords({ ...EMPTY_REVIEW_STATE, sessions }, { read, gone, intervals }, cut.value)
  const left = put[sessionPath('one')]
  return {
    kept: state.sessions.map(({ id, kept }) => `${id} ${kept}`),
    left: left && (JSON.parse(new TextDecoder().decode(left)) as SessionRecord),
  }
}

describe('clearRecords', () => {
  it('takes out what was read, and notes what is left', async () => {
    const { kept, left } = await clear([reading(readTo(2)), reading({ id: 'two' })])
    expect(kept).toEqual(['one 1', 'two 3'])
    expect(left).toEqual({ ...record, unread: [turn(3)] })
  })

  it('writes no record of which nothing was read, or whose turns wait for skills', async () => {
    expect(await clear([reading({ kept: 9 })])).toEqual({ kept: ['one 3'], left: undefined })
    const waiting = { ...record, unread: [{ ...turn(3), forSkills: true }] }
    expect(await clear([reading(readTo(3))], { stored: waiting })).toEqual({ kept: ['one 1'], left: undefined })
  })

  it('takes out text whose marks say that it was read', async () => {
    expect((await clear([reading(readTo(3))])).left).toEqual({ ...record, unread: [] })
  })

  it('leaves a record alone that has taken the place of another, that is broken, or that there is none of', async () => {
    const known = reading({ createdAt: 0, kept: 9, ...readTo(3) })
    expect(await clear([known])).toEqual({ kept: ['one 9'], left: undefined })
    expect(await clear([reading({ kept: 9, ...readTo(3) })], { stored: 'broken' })).toEqual({ kept: ['one 9'], left: undefined })
    expect(await clear([reading({ id: 'two', kept: 9, ...readTo(3) })], { read: ['two'] })).toEqual({ kept: ['two 9'], left: undefined })
  })

  it('lets the home forget sessions whose records are gone, and not a newer one of the same id', async () => {
    const two = reading({ id: 'two' })
    expect((await clear([reading(), two], { gone: [two] })).kept).toEqual(['one 3'])
    expect((await clear([reading(), two], { gone: [{ ...two, createdAt: 0 }] })).kept).toEqual(['one 3', 'two 3'])
  })
})
