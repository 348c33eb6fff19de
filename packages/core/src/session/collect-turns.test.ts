import { describe, expect, it } from 'vitest'
import { newReading, type ReviewScope, type SessionReading } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateJsonDocument } from '../storage/json-document.ts'
import { updateDocument } from '../storage/one-document.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { collectTurns } from './collect-turns.ts'
import { countsOf, newSessionRecord, type SessionRecord, sessionPath } from './session-record.ts'
import { sessionRecordSchema } from './session-record-schema.ts'
import type { UnreadTurn } from './unread-turns.ts'

const both = { words: true, everything: true, skills: true }
const memory = { words: true, everything: true, skills: false }
const words = { words: true, everything: false, skills: false }
const skills = { words: false, everything: false, skills: true }

const turn = (number: number, more: Partial<UnreadTurn> = {}, text = `turn ${number}`): UnreadTurn => ({
  number,
  messages: [{ role: 'user', text }],
  ...more,
})

const record = (id: string, unread: readonly UnreadTurn[], more: Partial<SessionRecord> = {}): SessionRecord => ({
  ...newSessionRecord(id, '', 1),
  userTurns: unread.at(-1)?.number ?? 0,
  unread,
  ...more,
})

const store = async (storage: StorageBackend, ...records: readonly SessionRecord[]) => {
  for (const each of records) await updateJsonDocument(storage, sessionPath(each.id), sessionRecordSchema, () => each)
}

/** As the home knows it. */
const readingOf = (known: SessionRecord): SessionReading => newReading({ ...countsOf(known), reviewed: { turns: 0, iterations: 0 } })

const collect = async (records: readonly SessionRecord[], scope: ReviewScope, newest?: string, more: Partial<SessionReading> = {}) => {
  const storage = inMemoryBackend()
  await store(storage, ...records)
  const { conversation, readTo, ...rest } = await collectTurns(
    storage,
    records.map((each) => ({ ...readingOf(each), ...more })),
    {
      scope,
      newest,
      onProblem: () => {},
    },
  )
  return {
    ...rest,
    texts: conversation.map(({ sessionId, messages }) => `${sessionId} ${messages[0]?.text}`),
    readTo: [...readTo],
    conversation,
  }
}

describe('collectTurns', () => {
  it('reads in each pass what that has not read, whatever the others have', async () => {
    const read = { words: 3, everything: 1, skills: 2 }
    const one = record('a', [turn(1), turn(2, { outside: true }), turn(3, { forSkills: true }), turn(4)])
    expect((await collect([one], words, undefined, { read })).texts).toEqual(['a turn 4'])
    expect((await collect([one], memory, undefined, { read })).texts).toEqual(['a turn 2', 'a turn 4'])
    expect((await collect([one], skills, undefined, { read })).texts).toEqual(['a turn 3', 'a turn 4'])
    const { conversation, readTo } = await collect([one], both, undefined, { read })
    expect(conversation.map(({ readers }) => readers)).toEqual([
      { words: false, everything: true, skills: false },
      { words: false, everything: false, skills: true },
      { words: true, everything: false, skills: true },
    ])
    expect(readTo).toEqual([['a', { words: 4, everything: 4, skills: 4 }]])
  })

  it.each([
    [undefined, ['c', 'b', 'a']],
    ['a', ['c', 'b', 'a']],
    ['b', ['c', 'a', 'b']],
    ['c', ['b', 'a', 'c']],
  ])('puts the session that it began with last (%s), and the others by their newest turn', async (newest, wanted) => {
    const records = ['a', 'b', 'c'].map((id, index) => record(id, [turn(1)], { updatedAt: 9 - index }))
    for (const order of [records, records.toReversed()]) {
      expect((await collect(order, memory, newest)).texts).toEqual(wanted.map((id) => `${id} turn 1`))
    }
  })

  it.each([
    ['with text that a crash left behind', true, { kept: 1, read: { words: 2, everything: 2, skills: 2 } }],
    ['with a turn that a pass has not read', true, { kept: 0, read: { words: 2, everything: 2, skills: 1 } }],
    ['without either', false, { kept: 0, read: { words: 2, everything: 2, skills: 2 } }],
  ])('opens the record of a session %s: %s', async (_, isOpened, known) => {
    const storage = inMemoryBackend()
    const one = record('a', [turn(1), turn(2)])
    await store(storage, one)
    const { readTo } = await collectTurns(storage, [{ ...readingOf(one), ...known }], { scope: both, newest: 'a', onProblem: () => {} })
    expect([...readTo.keys()]).toEqual(isOpened ? ['a'] : [])
  })

  it('takes whole turns as long as there is room, and says how far it came', async () => {
    const long = (number: number) => turn(number, {}, `${number} ${'x'.repeat(25_000)}`)
    const first = record('a', [long(1), long(2)], { updatedAt: 1 })
    const second = record('b', [long(1), turn(2)], { updatedAt: 2 })
    const { conversation, readTo } = await collect([first, second], memory)
    expect(conversation.map(({ sessionId }) => sessionId)).toEqual(['a', 'a'])
    expect(readTo).toEqual([
      ['a', { words: 2, everything: 2, skills: 2 }],
      ['b', { words: 0, everything: 2, skills: 2 }],
    ])
    const exact = (number: number) => turn(number, {}, 'x'.repeat(32_000 - 60))
    expect((await collect([record('a', [exact(1), exact(2), turn(3)])], memory)).readTo).toEqual([
      ['a', { words: 2, everything: 3, skills: 3 }],
    ])
    const huge = await collect([record('a', [turn(1, {}, 'x'.repeat(90_000)), turn(2)])], memory)
    expect(huge.readTo).toEqual([['a', { words: 1, everything: 2, skills: 2 }]])
  })

  it('tells of the failed uses of the turns that it reads, not of those that wait', async () => {
    const long = (number: number) => turn(number, {}, 'x'.repeat(40_000))
    const failedUses = [1, 2].map((number) => ({ skill: 'deploy', turn: number, tool: 'bash' }))
    const found = await collect([record('a', [long(1), long(2)], { failedUses })], both)
    expect(found.readTo).toEqual([['a', { words: 1, everything: 2, skills: 1 }]])
    expect(found.failedUses).toEqual([{ skill: 'deploy', turn: 1, tool: 'bash', sessionId: 'a' }])
  })

  it('leaves text from outside to a later review if only the own words of the turn have room', async () => {
    const page = (number: number): UnreadTurn => ({
      number,
      messages: [
        { role: 'user', text: `Read page ${number}` },
        { role: 'tool', text: 'x'.repeat(25_000), outside: true },
      ],
      outside: true,
    })
    const { conversation, readTo } = await collect([record('a', [page(1), page(2), page(3)])], memory)
    expect(conversation.map(({ readers, outsideWaits }) => [readers.words, readers.everything, outsideWaits])).toEqual([
      [true, true, undefined],
      [true, true, undefined],
      [true, false, true],
    ])
    expect(readTo).toEqual([['a', { words: 3, everything: 2, skills: 3 }]])
  })

  it('says which skills were loaded in what it reads, when and where it was said, and whether text from outside was in sight', async () => {
    const records = [
      record('a', [turn(1, { tainted: true }), turn(2, { at: 7 })], { loadedSkills: ['deploy'] }),
      record('b', [], { userTurns: 1, loadedSkills: ['other'] }),
      record('c', [turn(1)], { project: 'shop' }),
    ]
    const { loadedSkills, conversation } = await collect(records, memory)
    expect(loadedSkills).toEqual(['deploy'])
    expect(conversation.map(({ tainted, at, project }) => [tainted, at, project])).toEqual([
      [true, undefined, undefined],
      [undefined, 7, undefined],
      [undefined, undefined, 'shop'],
    ])
  })

  it('leaves out records that are gone or broken, and one that has taken the place of another', async () => {
    const storage = inMemoryBackend()
    const problems: string[] = []
    const [fine, other, broken, gone] = ['fine', 'other', 'broken', 'gone'].map((id) => record(id, [turn(1)]))
    if (!fine || !other || !broken || !gone) throw new Error('unreachable')
    await store(storage, fine, { ...other, createdAt: 2 })
    await updateDocument(storage, sessionPath('broken'), () => new TextEncoder().encode('{'))
    const found = await collectTurns(storage, [fine, other, broken, gone].map(readingOf), {
      scope: memory,
      newest: undefined,
      onProblem: ({ code }) => problems.push(code),
    })
    expect([...found.readTo.keys()]).toEqual(['fine'])
    expect(found.gone.map(({ id }) => id)).toEqual(['broken', 'gone'])
    expect(problems).toEqual(['unreadable'])
    // One that the storage does not give now is left to a later review.
    const busy: StorageBackend = { ...storage, read: async () => err(new HermesError('io', 'The disk does not answer.')) }
    const late = { scope: memory, newest: undefined, onProblem: ({ code }: HermesError) => problems.push(code) }
    const none = await collectTurns(busy, [readingOf(fine)], late)
    expect(none).toEqual({ conversation: [], loadedSkills: [], failedUses: [], readTo: new Map(), gone: [] })
    expect(problems).toEqual(['unreadable', 'io'])
  })
})
