import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkStoragePath } from '../storage/storage-paths.ts'
import {
  addDelta,
  endReview,
  newSessionRecord,
  sessionPath,
  sessionRecordSchema,
  startReview,
  withoutStaleReview,
} from './session-record.ts'

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
  const record = newSessionRecord('a', 'BLOCK', 1_000)

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

  it('counts what was said before the session once, whoever says so', () => {
    const earlier = { turns: 13, sinceReview: 3 }
    const first = addDelta(record, { turns: 1, iterations: 0, earlier }, 2_000)
    expect(first).toMatchObject({ userTurns: 14, turnsSinceReview: 4 })
    expect(addDelta(first, { turns: 1, iterations: 0, earlier }, 3_000)).toMatchObject({ userTurns: 15, turnsSinceReview: 5 })
  })

  describe('a review', () => {
    const said = [{ role: 'user', text: 'x' }] as const
    const started = startReview({ ...record, userTurns: 9, turnsSinceReview: 9, backlog: said, iterationsSinceReview: 4 }, 5_000)

    it('starts counting anew and takes the backlog along', () => {
      expect(started).toMatchObject({ turnsSinceReview: 0, iterationsSinceReview: 0, backlog: [], userTurns: 9 })
      expect(started.review).toEqual({ startedAt: 5_000, backlog: said })
    })

    it('leaves nothing behind when it succeeds', () => {
      expect(endReview(started, true)).toMatchObject({ backlog: [], turnsSinceReview: 0 })
      expect(endReview(started, true)).not.toHaveProperty('review')
    })

    it('gives back what it took when it fails, in front of what was said since', () => {
      const since = { ...started, backlog: [{ role: 'user', text: 'y' }] as const }
      expect(endReview(since, false).backlog.map(({ text }) => text)).toEqual(['x', 'y'])
    })

    it('counts as failed when its process has died', () => {
      expect(withoutStaleReview(started, 6_000, 1_000).review).toBeDefined()
      expect(withoutStaleReview(started, 6_001, 1_000)).toMatchObject({ backlog: said })
      expect(withoutStaleReview(started, 6_001, 1_000).review).toBeUndefined()
    })
  })
})
