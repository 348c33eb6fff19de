/** Which reviews run in a process, with which model, and how they are cancelled. */
import { describe, expect, it, vi } from 'vitest'
import { begunReviewOf, dueReview, leaseOf, turnToRead } from '../../test/support/due-review.ts'
import { REVIEW_SETTINGS, sessionHome } from '../../test/support/session-home.ts'
import type { HostModel } from '../model/host-model.ts'
import type { AskedReview } from '../nudge/decide-review.ts'
import { EMPTY_REVIEW_STATE } from '../nudge/review-state.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { BeginAnswer, ReviewOccasion, ReviewRun, ReviewSettings } from './review-request.ts'
import { isTurnCount, Reviews } from './reviews.ts'

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

describe('the model of a review', () => {
  const run = async (ownModel: HostModel | undefined, set: HostModel | undefined, model: HostModel) => {
    const { runner } = open([begun], { model: set })
    await runner.review({ why: 'request' }, { ownModel, model })
  }

  it('is the one for this review, else that of the settings, else that of the host', async () => {
    const models = [modelOf('own'), modelOf('set'), modelOf('host')] as const
    const [own, set, host] = models
    const calls = () => models.map((model) => model.calls())
    await run(own, set, host)
    expect(calls()).toEqual([1, 0, 0])
    await run(undefined, set, host)
    expect(calls()).toEqual([1, 1, 0])
    await run(undefined, undefined, host)
    expect(calls()).toEqual([1, 1, 1])
  })

  it('is needed: without one, nothing begins', async () => {
    const { runner, occasions } = open([begun])
    expect(await runner.review({ why: 'request' }, {})).toEqual(ok({ kind: 'no-model' }))
    expect(occasions).toEqual([])
  })

  it('of the newest turn is kept for turns that bring none', async () => {
    const [first, second] = [modelOf('first'), modelOf('second')]
    const { runner } = open()
    expect(runner.newestModel).toBeUndefined()
    await runner.turnSaved(asked('nothing-due'), {}, { model: first })
    await runner.turnSaved(asked('nothing-due'), {}, {})
    expect(runner.newestModel).toBe(first)
    await runner.turnSaved(asked('start'), {}, { model: second })
    expect(runner.newestModel).toBe(second)
  })
})

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

  it('reads at most 20 times', async () => {
    const { runner, occasions } = open(Array.from({ length: 30 }, () => begun))
    expect(await runner.review({ why: 'request' }, { model: modelOf('fact') })).toMatchObject({ value: { kind: 'reviewed', turns: 20 } })
    expect(occasions).toHaveLength(20)
  })

  it('fails if a review fails, also after one that did not', async () => {
    const answers = ['{"proposals": []}', '']
    const failing: HostModel = async () => answers.shift() ?? ''
    const { runner } = open([begun, begun])
    expect(await runner.review({ why: 'request' }, { model: failing })).toMatchObject({ ok: false, error: { code: 'unparseable' } })
  })

  it('tells what each review cost', async () => {
    const { runner } = open([begun, begun])
    const costs: number[] = []
    await runner.review({ why: 'request' }, { model, onCost: ({ calls }) => costs.push(calls) })
    expect(costs).toEqual([1, 1])
  })
})

describe('what a home cannot do now', () => {
  const broken = () => err(new HermesError('io', 'broken'))
  const waits = (isFirstReport: boolean) => () =>
    ok({ kind: 'waits' as const, reason: 'breaker' as const, turns: 3, intervals: 1, isFirstReport })

  it.each([
    ['one', { sessionId: 'one' }],
    [undefined, {}],
  ])('is an event, of the session %s', async (sessionId, named) => {
    const { runner, events } = open([broken, waits(true), waits(false)])
    const request = { model: modelOf('a'), sessionId }
    expect(await runner.review({ why: 'request' }, request)).toMatchObject({ ok: false, error: { code: 'io' } })
    await runner.review({ why: 'request' }, request)
    await runner.review({ why: 'request' }, request)
    expect(events).toStrictEqual([
      { type: 'storage-failed', ...named, at: 5, operation: 'save reviews', error: expect.objectContaining({ code: 'io' }) },
      { type: 'review-waits', ...named, at: 5, reason: 'breaker', turns: 3 },
    ])
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

  it('report a wait once', async () => {
    const answer = { kind: 'waits', reason: 'budget', turns: 3, intervals: 1 } as const
    const { runner, events } = open()
    await runner.turnSaved(asked('busy', { answer, isFirstReport: true }), {}, { sessionId: 'one' })
    await runner.turnSaved(asked('busy', { answer }), {}, { sessionId: 'one' })
    expect(events).toStrictEqual([{ type: 'review-waits', sessionId: 'one', at: 5, reason: 'budget', turns: 3 }])
  })

  it('give the work that became due, and what becomes due meanwhile follows', async () => {
    const { runner, occasions, typesOf } = open([begun, begun])
    const work = await runner.turnSaved(asked('start', { before: 3 }), { tainted: true }, { model, sessionId: 'one' })
    expect(typesOf()).toEqual([])
    await work?.()
    expect(typesOf()).toEqual(['review-started', 'review-finished', 'review-started', 'review-finished'])
    expect(occasions).toEqual([{ why: 'turn', tainted: true, before: 3 }, { why: 'turn' }, { why: 'turn' }])
  })

  it.each([
    ['failed', ''],
    ['was stopped', '{"proposals": []}'],
  ])('start no other review after one that %s', async (how, answer) => {
    const home = open([begun, begun])
    const signal = how === 'failed' ? undefined : AbortSignal.abort()
    const work = await home.runner.turnSaved(asked('start'), {}, { model: async () => answer, signal })
    await work?.()
    expect(home.typesOf()).toEqual(['review-started', how === 'failed' ? 'review-failed' : 'review-stopped'])
    expect(home.occasions).toHaveLength(1)
  })
})

describe('a review that is cancelled', () => {
  /** Answers only to the signal of its call. */
  const patient = () => {
    let tell = () => {}
    const isAsked = new Promise<void>((resolve) => {
      tell = resolve
    })
    const model: HostModel = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        tell()
      })
    return { model, isAsked }
  }

  it('by its signal is stopped', async () => {
    const { model, isAsked } = patient()
    const { runner } = open([begun])
    const calling = new AbortController()
    const running = runner.review({ why: 'request' }, { model, signal: calling.signal })
    await isAsked
    calling.abort()
    expect(await running).toEqual(ok({ kind: 'stopped' }))
  })

  it('before it begins is stopped', async () => {
    const { runner, occasions } = open([begun])
    expect(await runner.review({ why: 'request' }, { model: modelOf('a'), signal: AbortSignal.abort() })).toEqual(ok({ kind: 'stopped' }))
    expect(occasions).toEqual([])
  })

  it('leaves no listener on a signal that outlives it', async () => {
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const { runner } = open([begun])
    await runner.review({ why: 'request' }, { model: modelOf('a'), signal })
    expect(added.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      removed.mock.calls.map(([type, listener]) => [type, listener]),
    )
    expect(added).toHaveBeenCalledOnce()
  })

  it('is none that has ended', async () => {
    const { runner } = open([begun])
    await runner.review({ why: 'request' }, { model: modelOf('a') })
    const aborted = vi.spyOn(AbortController.prototype, 'abort')
    await runner.cancel()
    expect(aborted).not.toHaveBeenCalled()
    aborted.mockRestore()
  })

  it('in all processes is stopped in this one at once, and others may begin', async () => {
    const { model, isAsked } = patient()
    const { runner } = open([begun, begun])
    const running = runner.review({ why: 'request' }, { model })
    await isAsked
    await runner.cancel()
    expect(await running).toEqual(ok({ kind: 'stopped' }))
    expect(await runner.review({ why: 'request' }, { model: modelOf('a') })).toMatchObject({ value: { kind: 'reviewed' } })
  })

  it('by the end of the process is stopped, and no other begins', async () => {
    const { model, isAsked } = patient()
    const { runner, counts, stop, occasions } = open([begun])
    const running = runner.review({ why: 'request' }, { model })
    await isAsked
    stop()
    expect(await running).toEqual(ok({ kind: 'stopped' }))
    expect(await runner.review({ why: 'request' }, { model: modelOf('a') })).toEqual(ok({ kind: 'stopped' }))
    expect(occasions).toHaveLength(1)
    // Turns are still counted.
    const saved = { id: 'one', createdAt: 1, turns: 30, iterations: 0, updatedAt: 5, reviewed: { turns: 0, iterations: 0 }, kept: 30 }
    const { answer, state } = counts.askAfterTurn(EMPTY_REVIEW_STATE, saved, 0, 5)
    expect([answer.kind, state.sessions]).toEqual(['nothing-due', [expect.objectContaining({ turns: 30 })]])
  })
})
