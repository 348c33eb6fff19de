/** Which reviews run in a process, with which model, and how they are cancelled. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { begunReviewOf, dueReview, leaseOf, turnToRead } from '../../test/support/due-review.ts'
import { REVIEW_SETTINGS, type SessionHomeChange, sessionHome } from '../../test/support/session-home.ts'
import { unwritableStorage } from '../../test/support/unwritable-storage.ts'
import type { HostModel } from '../model/host-model.ts'
import type { LearningCost } from '../model/learning-cost.ts'
import type { AskedReview } from '../nudge/decide-review.ts'
import { EMPTY_REVIEW_STATE } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import type { HomeReviews } from './home-reviews.ts'
import { reviewMode } from './plan-passes.ts'
import {
  type BeginAnswer,
  type DueReview,
  kindOf,
  kindOfPass,
  type ReviewOccasion,
  type ReviewRun,
  type ReviewSettings,
} from './review-request.ts'
import { isTurnCount, Reviews } from './reviews.ts'
import { type ReviewRunSettings, RunningReview } from './run-review.ts'

const clock = () => 5

/** A fact for each call, and the name of the model as the user said it. */
const modelOf = (name: string) => {
  let calls = 0
  const model: HostModel = async () => {
    calls++
    const op = { action: 'add', content: `${name} ${calls}` }
    return JSON.stringify({ proposals: [{ target: 'user', op, rationale: 'said', score: 0.9, evidence: [] }] })
  }
  return Object.assign(model, { calls: () => calls })
}

type Begin = () => Result<BeginAnswer>

const begun = (): Result<BeginAnswer> => {
  const review = begunReviewOf(dueReview({ conversation: [turnToRead('one', { role: 'user', text: 'I live in Oslo' })] }))
  return ok({ kind: 'begun', review })
}

const NOTHING: Result<BeginAnswer> = ok({ kind: 'nothing-due', unreadTurns: 2 })
const BUSY: Result<BeginAnswer> = ok({ kind: 'busy' })
const DUE: Result<BeginAnswer> = ok({ kind: 'due', fence: 4 })

/** What a saved turn found. */
const asked = (kind: 'start' | 'busy' | 'nothing-due', change: Partial<AskedReview> = {}): AskedReview => ({
  state: EMPTY_REVIEW_STATE,
  answer:
    kind === 'start'
      ? { kind, scope: { words: true, everything: true, skills: false }, turns: 10, iterations: 0 }
      : kind === 'busy'
        ? { kind }
        : { kind, unreadTurns: 2 },
  isFirstReport: false,
  before: undefined,
  ...change,
})

/** `answers`: what the home says when a review is to begin, in order; then that nothing is due. */
const open = (answers: readonly Begin[] = [], settings: Partial<ReviewSettings> = {}) => {
  const occasions: ReviewOccasion[] = []
  const { home, counts, stop, events } = sessionHome({ clock, options: { review: { ...REVIEW_SETTINGS, ...settings } } })
  const runner = new Reviews(home, undefined)
  const { lease } = leaseOf()
  Object.assign(runner.ofHome, {
    ...lease,
    begin: async (occasion: ReviewOccasion): Promise<Result<BeginAnswer>> => {
      occasions.push(occasion)
      return answers[occasions.length - 1]?.() ?? NOTHING
    },
  })
  const typesOf = () => events.map(({ type }) => type)
  return { runner, counts, stop, events, occasions, typesOf }
}

describe('a request for a review', () => {
  const model = modelOf('a')

  it.each([
    [undefined, true],
    [1, true],
    [7, true],
    [0, false],
    [-1, false],
    [1.5, false],
    ['3', false],
    [Number.NaN, false],
  ])('takes a whole number of turns, at least 1: %s', async (minTurns, isValid) => {
    expect(isTurnCount(minTurns)).toBe(isValid)
    const { runner, occasions } = open()
    const ran = await runner.review({ why: 'request', minTurns: minTurns as number }, { model })
    expect(ran).toMatchObject(isValid ? NOTHING : { ok: false, error: { code: 'invalid', message: expect.stringContaining('minTurns') } })
    expect(occasions).toHaveLength(isValid ? 1 : 0)
  })

  const ANSWERS: readonly (readonly [Result<BeginAnswer>, Result<ReviewRun>])[] = [
    [NOTHING, NOTHING as Result<ReviewRun>],
    [BUSY, ok({ kind: 'busy' })],
    [DUE, ok({ kind: 'queued' })],
    [ok({ kind: 'waits', reason: 'budget', turns: 3, intervals: 1, isFirstReport: false }), ok({ kind: 'waits', reason: 'budget' })],
  ]

  it.each(ANSWERS)('is answered by what the home says: %o', async (answer, expected) => {
    const { runner, occasions, events } = open([() => answer])
    expect(await runner.review({ why: 'end', minTurns: 2 }, { model })).toEqual(expected)
    expect(occasions).toEqual([{ why: 'end', minTurns: 2 }])
    expect(events).toEqual([])
  })

  it('reads on until nothing is due, and joins what was learned', async () => {
    const { runner, occasions } = open([begun, begun])
    const facts = modelOf('fact')
    const ran = await runner.review({ why: 'request' }, { model: facts, sessionId: 'one' })
    expect(ran).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 2 } })
    const applied = ran.ok && ran.value.kind === 'reviewed' ? ran.value.outcome.applied : []
    expect(applied.map(({ proposal }) => 'content' in proposal.op && proposal.op.content)).toEqual(['fact 1', 'fact 2'])
    expect(occasions).toHaveLength(3)
  })

  it('ends after twenty, however much becomes due meanwhile', async () => {
    const { runner, occasions } = open(Array.from({ length: 30 }, () => begun))
    const ran = await runner.review({ why: 'request' }, { model: async () => '{"proposals": []}' })
    expect(ran).toMatchObject({ ok: true, value: { kind: 'reviewed', turns: 20 } })
    expect(occasions).toHaveLength(20)
  })

  it('begins none without a model, or once it is called off', async () => {
    const { runner, occasions, stop } = open([begun])
    expect(await runner.review({ why: 'request' }, {})).toEqual(ok({ kind: 'no-model' }))
    expect(await runner.review({ why: 'request' }, { model, signal: AbortSignal.abort() })).toEqual(ok({ kind: 'stopped' }))
    stop()
    expect(await runner.review({ why: 'request' }, { model })).toEqual(ok({ kind: 'stopped' }))
    expect(occasions).toEqual([])
  })

  it('cannot be cancelled once it has ended', async () => {
    const { runner } = open([begun])
    await runner.review({ why: 'request' }, { model: async () => '' })
    const aborted = vi.spyOn(AbortController.prototype, 'abort')
    await runner.cancel()
    expect(aborted).not.toHaveBeenCalled()
    aborted.mockRestore()
  })

  it('fails if a review fails, also after one that did not', async () => {
    const answers = ['{"proposals": []}', '']
    const failing: HostModel = async () => answers.shift() ?? ''
    const { runner } = open([begun, begun])
    expect(await runner.review({ why: 'request' }, { model: failing })).toMatchObject({ ok: false, error: { code: 'unparseable' } })
  })
})

describe('a home that is tended', () => {
  const answer: HostModel = async () => '{"proposals": []}'
  it.each([
    ['reviews what is due', [begun], answer, 1, ['turn', 'turn']],
    ['reviews nothing if nothing is due', [], answer, 0, ['turn']],
    ['asks for nothing without a model of its own', [begun], undefined, 0, []],
  ] as const)('%s', async (_, answers, model, done, whys) => {
    const { runner, occasions } = open(answers, { model })
    expect(await runner.tend(new AbortController().signal)).toBe(done)
    expect(occasions.map(({ why }) => why)).toEqual(whys)
  })
})

describe('turns that were saved', () => {
  const model = modelOf('fact')

  it('start nothing if nothing is due or another review runs: the home is not asked again', async () => {
    const { runner, occasions } = open([begun])
    for (const kind of ['nothing-due', 'busy'] as const) expect(await runner.turnSaved(asked(kind), {}, { model })).toBeUndefined()
    expect(occasions).toEqual([])
  })

  it('start nothing if another process was faster, or the home cannot begin a review', async () => {
    const { runner, occasions } = open([() => NOTHING, () => BUSY, () => err(new HermesError('io', 'broken'))])
    for (let times = 0; times < 3; times++) expect(await runner.turnSaved(asked('start'), {}, { model })).toBeUndefined()
    expect(occasions).toHaveLength(3)
  })

  it('give the work that became due, and what becomes due meanwhile follows', async () => {
    const { runner, occasions, typesOf } = open([begun, begun])
    const work = await runner.turnSaved(asked('start', { before: 3 }), { tainted: true }, { model, sessionId: 'one' })
    expect(typesOf()).toEqual([])
    await work?.()
    expect(typesOf()).toEqual(['review-started', 'review-finished', 'review-started', 'review-finished'])
    expect(occasions).toEqual([{ why: 'turn', tainted: true, before: 3 }, { why: 'turn' }, { why: 'turn' }])
  })
})

/** How one review ends: its events, its record in the journal, its lease and what it cost. */
describe('run review', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const NOON = Date.UTC(2026, 0, 5, 12)
  const clock = () => NOON
  const superseded = () => err(new HermesError('superseded', 'Another review took over.'))
  const broken = () => err(new HermesError('io', 'The disk is broken.'))

  const answering =
    (...facts: readonly string[]): HostModel =>
    async () => ({
      text: JSON.stringify({
        proposals: facts.map((content) => ({
          target: 'user',
          op: { action: 'add', content },
          rationale: 'said',
          score: 0.9,
          evidence: [],
        })),
      }),
      usage: { inputTokens: 900, outputTokens: 100 },
    })

  const CONVERSATION = [
    turnToRead('one', { role: 'user', text: 'I live in Oslo' }),
    { ...turnToRead('two', { role: 'user', text: 'I play the cello' }), readers: { words: false, everything: false, skills: true } },
    { ...turnToRead('three', { role: 'user', text: 'Look at this' }), readers: { words: false, everything: true, skills: false } },
  ]

  interface Options {
    readonly due?: Partial<DueReview>
    readonly review?: Partial<Pick<HomeReviews, 'holding' | 'reading' | 'renew' | 'end'>>
    readonly settings?: Partial<ReviewRunSettings>
    readonly deps?: SessionHomeChange
    readonly storage?: StorageBackend
  }

  const open = ({ due, review: change, settings, deps, storage = inMemoryBackend() }: Options = {}) => {
    const costs: LearningCost[] = []
    const calling = new AbortController()
    const review = begunReviewOf(dueReview({ fence: 3, turns: 4, iterations: 5, conversation: CONVERSATION, ...due }))
    const { lease, ends } = leaseOf(change)
    const { home, events } = sessionHome({ storage, clock, ...deps })
    const run = () =>
      new RunningReview(home, lease, review, {
        model: answering('Lives in Oslo'),
        sessionId: undefined,
        calling,
        onCost: (cost) => costs.push(cost),
        ...settings,
      }).run()
    const records = async () => {
      const listed = await home.journal.list()
      return listed.ok ? listed.value.filter(({ op }) => op === undefined) : []
    }
    const typesOf = () => events.map(({ type }) => type)
    const failedOperations = () => events.flatMap((event) => (event.type === 'storage-failed' ? [event.operation] : []))
    return { run, events, typesOf, failedOperations, costs, calling, ends, records, storage }
  }

  describe('a review that fails', () => {
    it('is told in the journal before the next one reads, and asks no model if that cannot be written', async () => {
      const again = open({ due: { isRetry: true } })
      await again.run()
      const records = await again.records()
      expect(records.map(({ kind }) => kind)).toEqual(['review-retried', 'review-finished'])
      expect(records[0]?.reason).toBe('The last review of this home failed.')
      const occupied = new HermesError('occupied', 'The day is a folder.')
      const storage = unwritableStorage(
        inMemoryBackend(),
        (path) => path === 'journal/2026-01-05.jsonl',
        () => occupied,
      )
      const { run, costs, ends, typesOf } = open({ storage, due: { isRetry: true } })
      expect(await run()).toMatchObject({ ok: false, error: { code: 'occupied' } })
      expect([costs, ends]).toEqual([[], [['failed', 0]]])
      expect(typesOf()).toContain('review-failed')
    })

    const NO_JOURNAL = { list: async () => ok([]) }

    it('is reported if its failure cannot be journaled', async () => {
      const journal = { append: async () => err(new HermesError('closed', 'The journal is closed.')) }
      const { run, failedOperations } = open({ deps: { journal: { ...NO_JOURNAL, ...journal } }, settings: { model: undefined } })
      expect(await run()).toMatchObject({ ok: false })
      expect(failedOperations()).toEqual(['journal'])
    })
  })

  describe('a review that is cancelled', () => {
    /** Answers when its call is aborted. */
    const patient: HostModel = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })

    it('while its model answers gives its turns back', async () => {
      const { run, events, calling, ends, records, costs } = open({
        settings: {
          model: (request) => {
            calling.abort()
            return patient(request)
          },
        },
      })
      expect(await run()).toEqual(ok({ kind: 'stopped' }))
      expect(ends).toEqual([['stopped', costs[0]?.inputTokens]])
      expect(events).toMatchObject([
        { type: 'review-started' },
        { type: 'review-stopped', sessionId: 'three', at: NOON, cost: { calls: 1 } },
      ])
      expect(await records()).toMatchObject([{ kind: 'review-stopped', reason: expect.stringContaining('cancelled') }])
    })

    it('does not wait for what never ends', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      let ask = () => {}
      const isAsked = new Promise<void>((resolve) => {
        ask = resolve
      })
      const gate = () => {
        ask()
        return new Promise<never>(() => {})
      }
      const { run, calling, ends, records } = open({ deps: { gate } })
      const running = run()
      await isAsked
      calling.abort()
      await vi.advanceTimersByTimeAsync(500)
      expect(await running).toEqual(ok({ kind: 'stopped' }))
      expect(ends).toEqual([['stopped', 1_000]])
      expect(await records()).toMatchObject([{ kind: 'review-stopped' }])
    })

    it.each(['cancelled', 'superseded'])('while its last update is written has read its turns: %s', async (why) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
      const base = inMemoryBackend()
      const storage: StorageBackend = {
        ...base,
        async update(paths, plan, options) {
          if (paths.includes('sessions/.reviews.json')) {
            if (why === 'cancelled') calling.abort()
            await vi.advanceTimersByTimeAsync(20_000)
          }
          return base.update(paths, plan, options)
        },
      }
      const { run, calling, ends, typesOf } = open({ storage, review: { renew: async () => superseded() } })
      expect(await run()).toMatchObject({ ok: true, value: { kind: 'reviewed', outcome: { applied: [{}] } } })
      expect(ends).toEqual([['read', 1_000]])
      expect(typesOf()).toEqual(['review-started', 'review-finished'])
    })
  })

  describe('the lease of a running review', () => {
    const thirdOfLease = 20_000

    const renewing = (renew: HomeReviews['renew']) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      let answer = () => {}
      let begun = () => {}
      const isAsked = new Promise<void>((resolve) => {
        begun = resolve
      })
      let times = 0
      const home = open({
        review: {
          renew: (review) => {
            times++
            return renew(review)
          },
        },
        settings: {
          model: (request) =>
            new Promise((resolve, reject) => {
              answer = () => resolve(answering('Lives in Oslo')(request))
              request.signal.addEventListener('abort', () => reject(new Error('aborted')))
              begun()
            }),
        },
      })
      return { ...home, isAsked, answer: () => answer(), times: () => times }
    }

    it('is renewed three times a minute, and not after its end', async () => {
      const { run, isAsked, answer, times } = renewing(async () => ok({ until: 0 }))
      const running = run()
      await isAsked
      await vi.advanceTimersByTimeAsync(thirdOfLease - 1)
      expect(times()).toBe(0)
      await vi.advanceTimersByTimeAsync(1 + 2 * thirdOfLease)
      expect(times()).toBe(3)
      answer()
      expect(await running).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
      await vi.advanceTimersByTimeAsync(thirdOfLease)
      expect(times()).toBe(3)
    })

    it('if it cannot be renewed is a failure of the storage, and the review goes on', async () => {
      const { run, isAsked, answer, events } = renewing(async () => broken())
      const running = run()
      await isAsked
      await vi.advanceTimersByTimeAsync(thirdOfLease)
      answer()
      expect(await running).toMatchObject({ ok: true, value: { kind: 'reviewed' } })
      expect(events[1]).toMatchObject({
        type: 'storage-failed',
        sessionId: 'three',
        at: NOON,
        operation: 'renew review',
        error: { code: 'io' },
      })
    })
  })
})

describe('the kind of a review', () => {
  it.each([
    [{ words: true, everything: false, skills: false }, 'memory'],
    [{ words: false, everything: true, skills: false }, 'memory'],
    [{ words: false, everything: false, skills: true }, 'skills'],
    [{ words: true, everything: false, skills: true }, 'both'],
    [{ words: false, everything: true, skills: true }, 'both'],
  ] as const)('of %o is %s', (scope, kind) => {
    expect(kindOf(dueReview({ scope }))).toBe(kind)
  })

  it('of a pass about nothing that is due is memory', () => {
    expect(kindOfPass({ memory: false, skills: false })).toBe('memory')
  })
})

describe('the mode of a review', () => {
  const user = (text: string): TurnMessage => ({ role: 'user', text })
  const settings: ReviewSettings = {
    mode: 'replay',
    maxInputTokens: 10,
    maxOutputTokens: 1,
    maxSkillOutputTokens: 1,
    timeoutMs: 1,
    maxProposals: 1,
  }
  const due = (unread: readonly TurnMessage[], shown: readonly TurnMessage[]) =>
    dueReview({ conversation: unread.map((message) => turnToRead('one', message)), shown })
  const said = [user('abcdefghij')]

  it.each([
    ['replay if the prompt shows the unread turns and fits the budget', {}, said, said, 'replay'],
    ['replay if the prompt fills the budget', {}, [], [user('a'.repeat(20)), user('b'.repeat(20))], 'replay'],
    ['digest if the prompt is one character longer', {}, [], [user('a'.repeat(20)), user('b'.repeat(21))], 'digest'],
    ['digest if the prompt lacks a turn', {}, [...said, user('gone')], said, 'digest'],
    ['digest if the settings say so', { mode: 'digest' }, said, said, 'digest'],
    ['digest for another model than that of the host', { model: async () => '' }, said, said, 'digest'],
  ] as const)('is %s', (_, change, unread, shown, mode) => {
    expect(reviewMode({ ...settings, ...change }, due(unread, shown))).toBe(mode)
  })
})
