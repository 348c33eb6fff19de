/** Turns are counted and read across all sessions of a home: exactly one review reads each turn, despite failures and crashes. */

import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import { FAULT_STEP } from '../../../../scripts/support/rounds.ts'
import { REVIEW_STATE_PATH, type ReviewState } from '../../src/nudge/review-state.ts'
import { sessionPath } from '../../src/session/session-record.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { SESSIONS_FOLDER } from '../../src/storage/storage-paths.ts'
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

  it('reviews a single session at 10, 20 and 30', async () => {
    const { says, events } = open()
    const due: number[] = []
    for (let turn = 1; turn <= 35; turn++) {
      await says('one', `turn ${turn}.`)
      if (events.some(({ type }) => type === 'review-finished')) due.push(turn)
      events.length = 0
    }
    expect(due).toEqual([10, 20, 30])
  })

  it('reviews what is there at the first turn after 30 minutes', async () => {
    const { says, of, notes, clock } = open()
    const texts: string[] = []
    for (let session = 1; session <= 3; session++) {
      for (let turn = 1; turn <= 3; turn++) {
        texts.push(`turn ${turn} of chat ${session}.`)
        await says(`chat-${session}`, texts.at(-1) ?? '')
      }
      clock.advance(30 * MINUTE)
    }
    expect(of('review-finished')).toHaveLength(2)
    expect(timesRead(notes, texts)).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0])
    clock.advance(-1)
    await says('chat-4', 'not idle yet.')
    expect(of('review-finished')).toHaveLength(2)
    clock.advance(30 * MINUTE)
    await says('chat-4', 'idle.')
    expect(timesRead(notes, [...texts, 'not idle yet.', 'idle.'])).toEqual([...texts, '', ''].map(() => 1))
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
  it('rebuilds a broken state at the next turn, and reviews all turns', async () => {
    const { says, of, notes, storage } = open()
    for (let turn = 1; turn <= 9; turn++) await says(`chat-${turn}`, `turn ${turn};`)
    await write(storage, REVIEW_STATE_PATH, '{"version":1,"sess')
    await says('chat-10', 'turn 10;')
    const texts = Array.from({ length: 10 }, (_, turn) => `turn ${turn + 1};`)
    expect(timesRead(notes, texts)).toEqual(texts.map(() => 1))
    expect(of('storage-failed').map(({ operation }) => operation)).toEqual(['read reviews'])
    const kept = await storage.list(SESSIONS_FOLDER)
    expect(kept.ok && kept.value.some(({ path }) => path.includes('unreadable'))).toBe(true)
  })

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

  it('starts again if the record of a session was lost: its new turns are read', async () => {
    const storage = inMemoryBackend()
    const notes: ReviewNote[] = []
    const clock = manualClock()
    const first = homeProcess(storage, { notes, clock })
    for (let turn = 1; turn <= 10; turn++) await first.says('a', `turn ${turn};`)
    await first.says('a', 'lost;')
    await write(storage, sessionPath('a'), '{"id"')
    clock.advance(1)
    const next = homeProcess(storage, { notes, clock })
    const texts = Array.from({ length: 10 }, (_, turn) => `new ${turn + 1};`)
    for (const text of texts) await next.says('a', text)
    expect(timesRead(notes, texts)).toEqual(texts.map(() => 1))
    expect(next.of('review-started').map(({ turns }) => turns)).toEqual([10])
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

describe('a storage that fails', () => {
  const TURNS = Array.from({ length: 12 }, (_, turn) => ({ session: turn % 3 === 0 ? 'b' : 'a', text: `turn ${turn + 1};` }))

  const until = async (storage: StorageBackend, notes: ReviewNote[], clock: () => number) => {
    const last = homeProcess(storage, { notes, clock })
    for (let times = 0; times < 5; times++) {
      const reviewed = await last.hermes.review({ minTurns: 1 })
      if (reviewed.ok && reviewed.value.kind === 'nothing-due') return
    }
    throw new Error(`something stays due: ${JSON.stringify(last.events)}`)
  }

  it.each([false, true])('loses and doubles nothing, at whichever write a process dies (written: %s)', async (isWritten) => {
    let wasDead = true
    for (let atWrite = 1; wasDead; atWrite += FAULT_STEP) {
      const storage = inMemoryBackend()
      const notes: ReviewNote[] = []
      const clock = manualClock()
      const doomed = homeProcess(storage, { notes, clock, nudge: { memoryInterval: 5 }, death: { atWrite, isWritten } })
      const acknowledged: string[] = []
      let rest = TURNS
      for (const { session, text } of TURNS) {
        if (doomed.isDead()) break
        rest = rest.slice(1)
        if (await doomed.says(session, text)) acknowledged.push(text)
      }
      wasDead = doomed.isDead()
      clock.advance(2 * MINUTE)
      const next = homeProcess(storage, { notes, clock, nudge: { memoryInterval: 5 } })
      for (const { session, text } of rest) if (await next.says(session, text)) acknowledged.push(text)
      await until(storage, notes, clock)
      const times = timesRead(
        notes,
        TURNS.map(({ text }) => text),
      )
      expect([atWrite, ...times.map((count, at) => (acknowledged.includes(TURNS[at]?.text ?? '') ? count : Math.max(1, count)))]).toEqual([
        atWrite,
        ...TURNS.map(() => 1),
      ])
      const left = await Promise.all(['a', 'b'].map((id) => textOf(storage, sessionPath(id))))
      expect(left.join('\n')).not.toContain('turn ')
    }
  })

  it('loses and doubles nothing, whichever write it refuses', async () => {
    let wasRefused = true
    for (let refused = 1; wasRefused; refused += FAULT_STEP) {
      const inner = inMemoryBackend()
      let writes = 0
      const storage: StorageBackend = {
        ...inner,
        update: (paths, plan, options) => {
          writes++
          if (writes === refused) throw new Error('disk full')
          return inner.update(paths, plan, options)
        },
      }
      const notes: ReviewNote[] = []
      const clock = manualClock()
      const { says, of } = homeProcess(storage, { notes, clock, nudge: { memoryInterval: 5 } })
      for (const { session, text } of TURNS) {
        await says(session, text)
        clock.advance(2 * MINUTE)
      }
      wasRefused = writes >= refused
      const finished = of('review-finished').length
      const wereRead = new Set(notes.flatMap((note) => (note.kind === 'has-read' ? [note.fence] : [])))
      await until(inner, notes, clock)
      const times = timesRead(
        notes,
        TURNS.map(({ text }) => text),
      )
      expect([refused, ...times]).toEqual([refused, ...TURNS.map(() => 1)])
      // A review that is reported as finished has read its turns.
      expect(finished).toBeLessThanOrEqual(wereRead.size)
    }
  })
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

  it('writes nothing of a session that was being forgotten when it began', async () => {
    const inner = inMemoryBackend()
    const clock = manualClock()
    const slow = slowHome(inner, clock)
    for (let turn = 1; turn < 10; turn++) await slow.says('a', `turn ${turn};`)
    // Another process gets its tenth turn while this one is about to remove the record.
    let whenRemoved = async () => {}
    const storage: StorageBackend = {
      ...inner,
      update: async (paths, plan, options) => {
        if (paths.includes(sessionPath('a'))) await whenRemoved()
        return inner.update(paths, plan, options)
      },
    }
    const other = homeProcess(storage, { notes: [], clock })
    whenRemoved = async () => {
      slow.hermes.session('b').recordTurn({ messages: [user('tenth;')] })
      slow.hermes.session('a').recordTurn({ messages: [user('eleventh;')] })
      for (let turn = 2; turn < 10; turn++) slow.hermes.session('b').recordTurn({ messages: [user(`more ${turn};`)] })
      await expect.poll(() => asked(slow.notes).length).toBe(1)
    }
    await other.hermes.forgetSession('a')
    expect(asked(slow.notes)[0]).toContain('turn 1;')
    slow.answer()
    await slow.settled()
    expect(await textOf(inner, 'memories/USER.md')).toBe('')
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
