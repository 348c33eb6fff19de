/** Turns are counted and read across all sessions of a home: exactly one review reads each turn, despite failures and crashes. */
import { manualClock } from '@hermes/testing'
import { describe, expect, it } from 'vitest'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import { REVIEW_STATE_PATH, type ReviewState } from '../../src/nudge/review-state.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { sessionPath } from '../../src/session/session-record.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { readDocument, updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { type ReviewNote, timesRead } from '../support/observed-reviews.ts'
import { type HomeProcessOptions, homeProcess, NO_PROPOSALS } from './home-process.ts'
import { assistant, openHome, proposing, talk, user } from './open-home.ts'

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
})

describe('the nudge', () => {
  it('counts what was said before, if a session starts with a history', async () => {
    const { hermes, typesOf } = openHome(inMemoryBackend())
    const history = Array.from({ length: 9 }, (_, turn) => [user(`q${turn}`), assistant(`a${turn}`)]).flat()
    talk(hermes.session('one'), history, 'the tenth', proposing())
    await hermes.settled()
    expect(typesOf()).toContain('review-finished')
  })

  it('shows the reviewer all turns of a host that records one turn at a time, in whichever process', async () => {
    const storage = inMemoryBackend()
    let seen = ''
    const model: HostModel = async ({ messages }) => {
      seen = messages.map(({ content }) => content).join('\n')
      return '{"proposals": []}'
    }
    for (let turn = 1; turn <= 10; turn++) {
      const { hermes } = openHome(storage)
      hermes.session('one').recordTurn({ messages: [user(`question ${turn}`), assistant(`answer ${turn}`)], model })
      await hermes.settled()
    }
    for (let turn = 1; turn <= 10; turn++) expect(seen).toContain(`question ${turn}`)
  })

  it('counts a turn when it finishes: one that was stopped or that failed does not count, whatever stays of it in the history', async () => {
    const { hermes, events } = openHome(inMemoryBackend())
    const session = hermes.session('one')
    const history: TurnMessage[] = []
    for (let turn = 1; turn <= 10; turn++) {
      history.push(user(`stopped ${turn}`))
      session.beginStep([...history])
      history.push(assistant('Well, that'))
      await hermes.settled()
    }
    talk(session, history, 'the first that ends', proposing())
    await hermes.settled()
    expect(events.some(({ type }) => type === 'review-started')).toBe(false)
    for (let turn = 2; turn <= 10; turn++) talk(session, history, `turn ${turn}`, proposing())
    await hermes.settled()
    expect(events.find(({ type }) => type === 'review-started')).toMatchObject({ turns: 10 })
  })

  it('is off at 0', async () => {
    const { hermes, typesOf } = openHome(inMemoryBackend(), { nudge: { memoryInterval: 0 } })
    for (let turn = 1; turn <= 12; turn++) hermes.session('one').recordTurn({ messages: [user(`q${turn}`)], model: proposing() })
    await hermes.settled()
    expect(typesOf()).not.toContain('review-started')
  })
})

/** Limits on the cost of learning: a share of the host's tokens, tokens a day, and what happens above them. */
const HOUR = 3_600_000
const usage = { inputTokens: 900, outputTokens: 100 }
const model: HostModel = async () => ({ text: '{"proposals": []}', usage, model: 'small-1' })

/** `perTurn`: tokens that the host spends on a turn. */
const openAt = (
  review: NonNullable<HermesOptions['review']>,
  { storage = inMemoryBackend(), perTurn = 1_000 }: { storage?: StorageBackend; perTurn?: number } = {},
) => {
  let now = Date.UTC(2026, 0, 5, 9)
  const { hermes, events } = openHome(storage, { review, nudge: { skillInterval: 0 }, clock: () => now++ })
  const talk = async (turns: number, id = 'one', asked: HostModel = model) => {
    for (let turn = 0; turn < turns; turn++) {
      hermes
        .session(id)
        .recordTurn({ messages: [user(`said ${now}`)], usage: { inputTokens: perTurn - 10, outputTokens: 10 }, model: asked })
      await hermes.settled()
    }
  }
  const countOf = (type: string) => events.filter((event) => event.type === type).length
  const waits = () => events.flatMap((event) => (event.type === 'review-waits' ? [`${event.reason} ${event.turns}`] : []))
  return { hermes, events, talk, countOf, waits, pass: (ms: number) => (now += ms) }
}

describe('review.budget', () => {
  it('has a due review wait for three intervals at most, and says so once for each', async () => {
    const { talk, countOf, waits } = openAt({ budget: 0.01 })
    await talk(10)
    expect(countOf('review-finished')).toBe(1)
    await talk(39)
    expect(countOf('review-finished')).toBe(1)
    expect(waits()).toEqual(['budget 10', 'budget 20', 'budget 30'])
    await talk(1)
    expect(countOf('review-finished')).toBe(2)
  })

  it('counts what the calls of an adapter took, as the provider says', async () => {
    const { hermes, countOf, waits } = openAt({ budget: 0.1 })
    for (let turn = 0; turn < 20; turn++) {
      const prompt = [user(`said ${turn}`)]
      hermes.session(`chat ${turn}`).beginStep(prompt)
      const reply = [{ role: 'assistant' as const, text: 'Fine.' }]
      const step = { prompt, reply, turnFinished: true, calledTools: false, model, usage: { inputTokens: 990, outputTokens: 10 } }
      hermes.session(`chat ${turn}`).endStep(step)
      await hermes.settled()
    }
    expect(countOf('review-finished')).toBe(2)
    expect(waits()).toEqual([])
  })

  it('does not limit the requests of a person', async () => {
    const { hermes, talk } = openAt({ budget: 0.0001 })
    await talk(13)
    expect(await hermes.review()).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 3 } })
  })
})

describe('reviews that fail', () => {
  const failing: HostModel = async () => {
    throw new Error('no credit')
  }

  it('pause after three in a row, say so, and continue by themselves after an hour', async () => {
    const { talk, countOf, waits, events, pass } = openAt({})
    await talk(30, 'one', failing)
    expect(countOf('review-failed')).toBe(3)
    expect(events.filter(({ type }) => type === 'learning-paused')).toMatchObject([{ failures: 3, until: expect.any(Number) }])
    await talk(12)
    expect(countOf('review-started')).toBe(3)
    expect(waits()).toEqual(['breaker 40'])
    pass(HOUR)
    await talk(1)
    expect(countOf('review-finished')).toBe(1)
  })

  it('do not refuse a person, whose review ends the pause', async () => {
    const { hermes, talk, countOf } = openAt({})
    await talk(30, 'one', failing)
    expect(await hermes.review({ model })).toMatchObject({ value: { kind: 'reviewed', turns: 30 } })
    await talk(10)
    expect(countOf('review-finished')).toBe(2)
  })
})
