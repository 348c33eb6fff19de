import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { addDelta, newSessionRecord, sessionPath, sessionRecordSchema, startReview } from './session-record.ts'

describe('sessionPath', () => {
  it('is a valid document path in the sessions folder for any id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (id) => {
        const path = sessionPath(id.toWellFormed())
        expect(checkStoragePath(path).ok).toBe(true)
        expect(path).toMatch(/^sessions\/[^/]+\.json$/)
      }),
    )
  })

  it('never lets two ids meet, not even where case does not count', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200 }), fc.string({ minLength: 1, maxLength: 200 }), (one, other) => {
        fc.pre(one !== other)
        expect(sessionPath(one).toLowerCase()).not.toBe(sessionPath(other).toLowerCase())
      }),
    )
    expect(sessionPath('Chat').toLowerCase()).not.toBe(sessionPath('chat').toLowerCase())
    expect(sessionPath('x'.repeat(300))).not.toBe(sessionPath('x'.repeat(301)))
  })

  it('keeps a plain id readable', () => {
    expect(sessionPath('chat-42')).toBe('sessions/chat-42.json')
  })
})

describe('the session record', () => {
  const record = newSessionRecord('a', 'BLOCK', 3, 1_000)

  it('fits its own schema', () => {
    expect(sessionRecordSchema.parse(record)).toEqual(record)
  })

  it('adds what a process counted to what others counted', () => {
    const next = addDelta({ ...record, userTurns: 7, turnsSinceReview: 5 }, { turns: 2, iterations: 4 }, 2_000)
    expect(next).toMatchObject({
      userTurns: 9,
      turnsSinceReview: 7,
      iterationsSinceReview: 4,
      updatedAt: 2_000,
      createdAt: 1_000,
      block: 'BLOCK',
    })
  })

  it('keeps the stored text unless a refresh replaces it', () => {
    expect(addDelta(record, { turns: 1, iterations: 0 }, 2_000).block).toBe('BLOCK')
    expect(addDelta(record, { turns: 0, iterations: 0, block: 'NEW' }, 2_000).block).toBe('NEW')
  })

  it('starts counting anew with a review and forgets the backlog', () => {
    const started = startReview({ ...record, backlog: [{ role: 'user', text: 'x' }], iterationsSinceReview: 4 })
    expect(started).toMatchObject({ turnsSinceReview: 0, iterationsSinceReview: 0, backlog: [], userTurns: 3 })
  })
})
