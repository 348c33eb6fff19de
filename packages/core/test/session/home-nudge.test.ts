/** Turns are counted and read across all sessions of a home: exactly one review reads each turn, despite failures and crashes. */

import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { REVIEW_STATE_PATH, type ReviewState } from '../../src/nudge/review-state.ts'
import { sessionPath } from '../../src/session/session-record.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { type ReviewNote, timesRead } from '../support/observed-reviews.ts'
import { type HomeProcessOptions, homeProcess, NO_PROPOSALS } from './home-process.ts'
import { assistant, user } from './open-home.ts'

const MINUTE = 60_000

const open = (options: Partial<HomeProcessOptions> = {}, storage: StorageBackend = inMemoryBackend()) => {
  const notes = options.notes === undefined ? [] : [...options.notes]
  const clock = manualClock()
  return { ...homeProcess(storage, { clock, ...options, notes }), storage, notes, clock }
}

const asked = (notes: readonly ReviewNote[]): readonly string[] => notes.flatMap((note) => (note.kind === 'asks' ? [note.text] : []))

const stateOf = async (storage: StorageBackend): Promise<ReviewState> => {
  const found = await readDocument(storage, REVIEW_STATE_PATH)
  if (!found.ok || !found.value) throw new Error('there is no state of the reviews')
  return JSON.parse(new TextDecoder().decode(found.value.bytes))
}

const textOf = async (storage: StorageBackend, path: string): Promise<string> => {
  const found = await readDocument(storage, path)
  return found.ok && found.value ? new TextDecoder().decode(found.value.bytes) : ''
}

const write = (storage: StorageBackend, path: string, text: string) => updateDocument(storage, path, () => new TextEncoder().encode(text))

describe('the nudge of a home', () => {
  it('reviews 12 sessions of 5 turns 6 times, each turn once', async () => {
    const { says, of, notes } = open()
    const texts: string[] = []
    for (let session = 1; session <= 12; session++) {
      for (let turn = 1; turn <= 5; turn++) {
        texts.push(`turn ${turn} of chat ${session}.`)
        await says(`chat-${session}`, texts.at(-1) ?? '')
      }
    }
    expect(of('review-finished')).toHaveLength(6)
    expect(of('review-started').map(({ turns }) => turns)).toEqual([10, 10, 10, 10, 10, 10])
    expect(timesRead(notes, texts)).toEqual(texts.map(() => 1))
  })

  it('reviews 3 turns when their session ends, and leaves 2 to the next', async () => {
    const { says, of, notes, hermes } = open()
    await says('a', 'first.')
    await says('a', 'second.')
    expect(await hermes.session('a').end()).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 2 } })
    expect(of('review-started')).toEqual([])
    await says('b', 'third.')
    expect(await hermes.session('b').end()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 3 } })
    expect(timesRead(notes, ['first.', 'second.', 'third.'])).toEqual([1, 1, 1])
    expect(await hermes.session('b').end()).toEqual({ ok: true, value: { kind: 'nothing-due', unreadTurns: 0 } })
  })

  it('reads the own words alone at the end of a session, and what came from outside with the next review that is due by count', async () => {
    const { says, hermes, notes, storage } = open({ nudge: { skillInterval: 0 } })
    const session = hermes.session('a')
    for (let turn = 1; turn <= 3; turn++) {
      session.recordTurn({
        messages: [
          user(`own words ${turn}.`),
          { role: 'assistant', text: '', toolNames: ['fetch'] },
          { role: 'tool', text: `page ${turn}.`, toolNames: ['fetch'] },
          assistant(`summary ${turn}.`),
        ],
      })
      await hermes.settled()
    }
    expect(await session.end()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 3 } })
    const early = asked(notes)
    expect(early).toHaveLength(1)
    for (const text of ['own words 1.', 'own words 3.']) expect(early[0]).toContain(text)
    for (const text of ['page 1.', 'page 3.', 'summary 2.']) expect(early[0]).not.toContain(text)
    expect(await textOf(storage, sessionPath('a'))).toContain('page 1.')
    for (let turn = 1; turn <= 10; turn++) await says('b', `later ${turn}.`)
    const [own = '', everything = '', ...more] = asked(notes).slice(1)
    expect(more).toEqual([])
    for (const text of ['later 1.', 'later 10.']) expect(own).toContain(text)
    // An earlier own-words pass has read these.
    for (const text of ['own words', 'page', 'summary']) expect(own).not.toContain(text)
    for (const text of ['own words 1.', 'page 1.', 'page 3.', 'summary 2.', 'later 10.']) expect(everything).toContain(text)
    expect(await textOf(storage, sessionPath('a'))).not.toContain('page')
    expect((await stateOf(storage)).sessions.map(({ read }) => [read.words, read.everything])).toEqual(expect.arrayContaining([[3, 3]]))
  })

  it('starts nothing that it could not carry out if no text is kept', async () => {
    const { says, hermes, storage, events } = open({ sessions: { keepText: false }, nudge: { memoryInterval: 5 } })
    for (let turn = 1; turn <= 4; turn++) await says('a', `a ${turn}.`)
    for (let turn = 1; turn <= 4; turn++) await says('b', `b ${turn}.`)
    for (let times = 1; times <= 4; times++) {
      expect(await hermes.review({ minTurns: 1 })).toMatchObject({ ok: true, value: { kind: 'nothing-due' } })
      expect(await stateOf(storage)).not.toHaveProperty('review')
    }
    expect(events.filter(({ type }) => type.startsWith('review'))).toEqual([])
    // A review of one session leaves the turns of another unread.
    await says('a', 'a 5.')
    expect(events.filter(({ type }) => type === 'review-finished')).toHaveLength(1)
    expect(await stateOf(storage)).not.toHaveProperty('review')
    await says('b', 'b 5.')
    expect(events.filter(({ type }) => type === 'review-finished')).toHaveLength(2)
    expect(await hermes.session('b').end({ minTurns: 1 })).toMatchObject({ ok: true, value: { kind: 'nothing-due' } })
  })
})

describe('a home whose review state or records are damaged', () => {

  it('takes the lease from a review in progress if the state breaks or is removed, so that there are never two', async () => {
    for (const broken of ['nonsense', undefined]) {
      const storage = inMemoryBackend()
      const notes: ReviewNote[] = []
      const clock = manualClock()
      let answer = () => {}
      const slow = homeProcess(storage, {
        notes,
        clock,
        answer: () => new Promise((resolve) => (answer = () => resolve(proposal('late')))),
      })
      for (let turn = 1; turn < 10; turn++) await slow.says('a', `turn ${turn};`)
      slow.hermes.session('a').recordTurn({ messages: [user('turn 10;')] })
      await expect.poll(() => asked(notes).length).toBe(1)
      await updateDocument(storage, REVIEW_STATE_PATH, () => (broken === undefined ? undefined : new TextEncoder().encode(broken)))
      clock.advance(1)
      let isFinished = false
      const next = homeProcess(storage, {
        notes,
        clock,
        answer: async () => {
          answer()
          await slow.settled()
          isFinished = true
          return NO_PROPOSALS
        },
      })
      expect(await next.hermes.review()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 10 } })
      expect(isFinished).toBe(true)
      expect(slow.of('review-failed').map(({ error }) => error.code)).toEqual(['superseded'])
      expect(await textOf(storage, 'memories/USER.md')).toBe('')
    }
  })

  it('is not waited for if a record cannot be read: the others are read, and no review starts for it alone', async () => {
    const { says, hermes, notes, storage, of } = open()
    for (let turn = 1; turn <= 4; turn++) await says('a', `a ${turn};`)
    await says('b', 'b 1;')
    await write(storage, sessionPath('a'), '{"id"')
    expect(await hermes.review({ minTurns: 1 })).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 1 } })
    expect(timesRead(notes, ['b 1;'])).toEqual([1])
    const started = of('review-started').length
    expect(await hermes.review({ minTurns: 1 })).toMatchObject({ ok: true, value: { kind: 'nothing-due' } })
    expect(of('review-started')).toHaveLength(started)
    expect(await stateOf(storage)).not.toHaveProperty('review')
  })
})

const proposal = (content: string): string =>
  JSON.stringify({
    proposals: [{ target: 'user', op: { action: 'add', content }, rationale: 'said', score: 0.9, evidence: [] }],
  })

describe('a review that has lost its place', () => {
  const slowHome = (storage: StorageBackend, clock: () => number) => {
    const answers: (() => void)[] = []
    const notes: ReviewNote[] = []
    const home = homeProcess(storage, {
      notes,
      clock,
      answer: () => new Promise((resolve) => answers.push(() => resolve(proposal('Likes Lisbon')))),
    })
    const fill = async () => {
      for (let turn = 1; turn < 10; turn++) await home.says('a', `turn ${turn};`)
      home.hermes.session('a').recordTurn({ messages: [user('I like Lisbon')] })
      await expect.poll(() => answers.length).toBe(1)
    }
    return {
      ...home,
      notes,
      fill,
      answer: () => {
        for (const give of answers) give()
      },
    }
  }

  it.each(['the session', 'a text'])('writes nothing if %s was forgotten in another process', async (what) => {
    const storage = inMemoryBackend()
    const clock = manualClock()
    const slow = slowHome(storage, clock)
    await slow.fill()
    const other = homeProcess(storage, { notes: slow.notes, clock })
    if (what === 'a text') await other.hermes.forget('Lisbon')
    else await other.hermes.forgetSession('a')
    slow.answer()
    await slow.settled()
    const all = await storage.list('')
    const documents = await Promise.all(all.ok ? all.value.map(({ path }) => textOf(storage, path)) : [])
    expect(documents.join('\n')).not.toContain('Lisbon')
    expect(slow.of('review-finished')).toEqual([])
    expect(slow.of('review-failed').map(({ error }) => error.code)).toEqual(['superseded'])
  })

  it('says so if another one took over while its model answered, and writes nothing', async () => {
    const storage = inMemoryBackend()
    const clock = manualClock()
    const slow = slowHome(storage, clock)
    await slow.fill()
    clock.advance(2 * MINUTE)
    const other = homeProcess(storage, { notes: slow.notes, clock })
    expect(await other.hermes.review()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 10 } })
    slow.answer()
    await slow.settled()
    expect(await textOf(storage, 'memories/USER.md')).toBe('')
    expect(slow.of('review-failed').map(({ error }) => error.code)).toEqual(['superseded'])
    expect(timesRead(slow.notes, ['turn 1;', 'I like Lisbon'])).toEqual([1, 1])
  })
})
