import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../test/support/code-point.ts'
import { OUTSIDE_HEADING } from '../memory/outside-heading.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { changeRecord, countsOf, isOfSession, newSessionRecord, readCopyName, sessionPath, unreadableCopy } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'

describe('sessionPath', () => {
  it('is a valid document path in the sessions folder for any id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: codePoint }), (id) => {
        const path = sessionPath(id.toWellFormed())
        expect(checkStoragePath(path).ok).toBe(true)
        expect(path).toMatch(/^sessions\/[^/]+\.json$/)
      }),
      { seed: 7 },
    )
  })

  it('never lets two ids meet, not even if case does not count', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200 }), fc.string({ minLength: 1, maxLength: 200 }), (one, other) => {
        fc.pre(one !== other)
        expect(sessionPath(one).toLowerCase()).not.toBe(sessionPath(other).toLowerCase())
      }),
      { seed: 7 },
    )
    expect(sessionPath('Chat').toLowerCase()).not.toBe(sessionPath('chat').toLowerCase())
    expect(sessionPath('x'.repeat(300))).not.toBe(sessionPath('x'.repeat(301)))
  })

  it.each([
    ['chat-42', 'chat-42'],
    ['a_b', 'a_b'],
    ['Chat', '~43hat'],
    ['a/b', 'a~2fb'],
    ['\na', '~0aa'],
    ['ü', '~c3~bc'],
  ])('writes %j as %s', (id, name) => {
    expect(sessionPath(id)).toBe(`sessions/${name}.json`)
  })

  it('cuts a long name, and tells two apart by all of the id', () => {
    expect(sessionPath('x'.repeat(100))).toBe(`sessions/${'x'.repeat(100)}.json`)
    const long = sessionPath('x'.repeat(101))
    expect(long).toBe(`sessions/${'x'.repeat(80)}~-3df5d91e5d1cea8c6f59d5249e401d89.json`)
    expect(sessionPath(`${'x'.repeat(101)}y`)).not.toBe(sessionPath(`${'x'.repeat(101)}z`))
  })
})

describe('the session record', () => {
  const record = newSessionRecord('a', 'BLOCK', 1_000)

  it('fits its own schema', () => {
    expect(sessionRecordSchema.parse(record)).toEqual(record)
  })

  it('adds what a process counted to what others counted', () => {
    const next = [{ turns: 2 }, { iterations: 4 }].reduce(changeRecord, { ...record, userTurns: 7, iterations: 5 })
    expect(next).toEqual({ ...record, userTurns: 9, iterations: 9 })
  })

  it('keeps the stored text unless a refresh replaces it', () => {
    expect(changeRecord(record, { turns: 1 }).block).toBe('BLOCK')
    expect(changeRecord(record, { block: 'NEW' }).block).toBe('NEW')
  })

  it('has text from outside in sight from a block that shows some, and for good', () => {
    const shows = { block: `TEXT\n${OUTSIDE_HEADING}\nMore.` }
    expect(newSessionRecord('a', shows.block, 1)).toMatchObject({ tainted: true, turnOpen: false })
    const seen = changeRecord(record, shows)
    expect([record.tainted, seen.tainted, changeRecord(seen, { block: 'TEXT' }).tainted]).toEqual([false, true, true])
  })

  it('places changes of the text among the turns, whenever they are saved', () => {
    const turn = { turns: 1 }
    const changes = [turn, { block: 'B', blockChangedAt: 5 }, turn, turn, { block: 'C', blockChangedAt: 7 }, turn]
    const next = changes.reduce(changeRecord, { ...record, userTurns: 4 })
    expect(next).toMatchObject({ userTurns: 8, changed: { times: 2, at: 7, turns: 7 } })
    expect(sessionRecordSchema.parse(next)).toEqual(next)
    expect(changeRecord(next, turn).changed).toEqual(next.changed)
  })

  it('counts what was said before the session once, whoever says so', () => {
    const said = [{ earlierTurns: 13 }, { turns: 1 }]
    const first = said.reduce(changeRecord, record)
    expect(first.userTurns).toBe(14)
    expect(said.reduce(changeRecord, first).userTurns).toBe(15)
  })

  it('keeps the names of loaded skills once each, the newest last, of all processes together, and not too many', () => {
    const load = (loadedSkill: string) => ({ loadedSkill })
    const next = ['deploy', 'triage', 'deploy'].map(load).reduce(changeRecord, { ...record, loadedSkills: ['triage', 'release'] })
    expect(next.loadedSkills).toEqual(['release', 'triage', 'deploy'])
    const many = Array.from({ length: 50 }, (_, at) => load(`s${at}`)).reduce(changeRecord, next)
    expect(many.loadedSkills).toHaveLength(20)
    expect(many.loadedSkills?.at(-1)).toBe('s49')
  })
})

describe('what the home keeps of a session', () => {
  const record = newSessionRecord('a', 'BLOCK', 1_000)
  const turns = [3, 4].map((number) => ({ number, messages: [] }))

  it.each([
    ['without turns', { iterations: 7 }, { turns: 0, iterations: 0 }, 0],
    ['whose text is kept', { userTurns: 4, iterations: 7, unread: turns }, { turns: 2, iterations: 7 }, 2],
    ['whose text is not kept', { userTurns: 4, iterations: 7 }, { turns: 4, iterations: 7 }, 0],
  ])('is which turns were reviewed, as far as its record tells: %s', (_, more, reviewed, kept) => {
    const { userTurns = 0 } = more as { readonly userTurns?: number }
    expect(countsOf({ ...record, userTurns: 0, unread: [], ...more })).toMatchObject({ turns: userTurns, iterations: 7, reviewed, kept })
  })
})

describe('the documents of a session', () => {
  const copies = [unreadableCopy(sessionPath('one'), 1), unreadableCopy(sessionPath('one'), 2), unreadableCopy(sessionPath('two'), 3)]

  it('are its record and copies of it', () => {
    expect(isOfSession(sessionPath('one'), 'one')).toBe(true)
    expect(isOfSession(copies[0] ?? '', 'one')).toBe(true)
    expect(isOfSession(copies[0] ?? '', 'two')).toBe(false)
    expect(isOfSession('sessions/.unreadable/note', 'note')).toBe(false)
    expect(readCopyName('sessions/.unreadable/12-one.json')).toEqual({ name: 'one.json', at: 12 })
    for (const none of ['sessions/12-one.json', 'sessions/.unreadable/x12-one.json']) expect(readCopyName(none)).toBeUndefined()
  })
})
