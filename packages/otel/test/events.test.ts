/** The spans and metrics of each Hermes event with a real SDK, and what neither of them may contain. */
import type { HermesEvent, HermesEventListener } from '@hermes/core'
import { diag, SpanStatusCode } from '@opentelemetry/api'
import { afterEach, describe, expect, it } from 'vitest'
import { SECOND_BUCKETS } from '../src/conventions.ts'
import { type HermesTelemetryOptions, hermesTelemetry } from '../src/hermes-telemetry.ts'
import { memorySdk, sumOf, timesOf } from './memory-sdk.ts'

const AT = 1_790_000_000_000
const SECRET = 'Ada keeps her bees in Ghent'
const COST = { model: 'm-1', calls: 2, inputTokens: 900, cachedInputTokens: 300, outputTokens: 80, estimated: false, durationMs: 1_500 }
const error = { code: 'timeout', message: `No answer about: ${SECRET}`, details: { text: SECRET } }

let sdk = memorySdk()

const listen = (options: Partial<HermesTelemetryOptions> = {}) => {
  sdk = memorySdk()
  const onEvent = hermesTelemetry({ tracer: sdk.tracer, meter: sdk.meter, ...options })
  // Includes events of other versions of core, whose types differ.
  return (...events: readonly object[]): void => {
    for (const event of events) onEvent(event as HermesEvent)
  }
}

afterEach(() => sdk.shutdown())

const started = { type: 'review-started', sessionId: 's-1', at: AT, reviews: 'both', turns: 10, iterations: 4 }
const outcome = {
  applied: [{ proposal: { op: { content: SECRET } }, outcome: {} }],
  held: [{ proposal: SECRET, reason: SECRET }],
  rejected: [{ proposal: SECRET, reason: SECRET }],
  failed: [],
}
const finished = { type: 'review-finished', sessionId: 's-1', at: AT + 2_000, outcome, cost: COST }

describe('a review', () => {
  it('is one span from its start to its end, with its counts, its tokens and its model', () => {
    listen({ provider: 'openai' })(started, finished)
    const [span, ...more] = sdk.spans()
    expect(more).toEqual([])
    expect(span?.name).toBe('upsert_memory')
    expect(timesOf(span!)).toEqual([AT, AT + 2_000])
    expect(span?.status.code).toBe(SpanStatusCode.UNSET)
    expect(span?.attributes).toEqual({
      'gen_ai.operation.name': 'upsert_memory',
      'gen_ai.provider.name': 'openai',
      'gen_ai.conversation.id': 's-1',
      'gen_ai.request.model': 'm-1',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.cache_read.input_tokens': 300,
      'gen_ai.usage.output_tokens': 80,
      'hermes.model.calls': 2,
      'hermes.usage.estimated': false,
      'hermes.review.kind': 'both',
      'hermes.review.turns': 10,
      'hermes.review.iterations': 4,
      'hermes.review.result': 'finished',
      'hermes.review.applied': 1,
      'hermes.review.rejected': 1,
      'hermes.review.held': 1,
      'hermes.review.failed': 0,
    })
  })

  it('counts its tokens by type, and its seconds', async () => {
    listen()(started, finished)
    const tokens = await sdk.points('gen_ai.client.token.usage')
    expect(tokens.map((point) => [point.attributes, sumOf(point)])).toEqual([
      [
        {
          'gen_ai.operation.name': 'upsert_memory',
          'gen_ai.provider.name': 'hermes',
          'gen_ai.request.model': 'm-1',
          'gen_ai.token.type': 'input',
        },
        900,
      ],
      [
        {
          'gen_ai.operation.name': 'upsert_memory',
          'gen_ai.provider.name': 'hermes',
          'gen_ai.request.model': 'm-1',
          'gen_ai.token.type': 'output',
        },
        80,
      ],
    ])
    const [duration] = await sdk.points('gen_ai.client.operation.duration')
    expect(sumOf(duration)).toBe(2)
    expect(duration?.value).toMatchObject({ buckets: { boundaries: SECOND_BUCKETS } })
  })

  it('whose tokens were not counted is not in the metric of counted ones', async () => {
    listen()(started, { ...finished, cost: { ...COST, estimated: true } })
    expect(await sdk.points('gen_ai.client.token.usage')).toEqual([])
    const estimated = await sdk.points('hermes.learning.estimated_tokens')
    expect(estimated.map(({ attributes, value }) => [attributes['gen_ai.token.type'], value])).toEqual([
      ['input', 900],
      ['output', 80],
    ])
    expect(sdk.spans()[0]?.attributes['hermes.usage.estimated']).toBe(true)
  })

  it('that failed is an error with the code as its type, and its tokens count', async () => {
    listen()(started, { type: 'review-failed', sessionId: 's-1', at: AT + 500, error, cost: COST })
    const [span] = sdk.spans()
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span?.attributes).toMatchObject({ 'error.type': 'timeout', 'hermes.review.result': 'failed', 'gen_ai.usage.input_tokens': 900 })
    const [duration] = await sdk.points('gen_ai.client.operation.duration')
    expect(duration?.attributes['error.type']).toBe('timeout')
    expect(await sdk.points('gen_ai.client.token.usage')).toHaveLength(2)
  })

  it('that failed because not all could be written tells what was', () => {
    const details = Object.defineProperty({}, 'outcome', { value: { applied: [{}, {}], held: [{}], rejected: [], failed: [{}] } })
    listen()(started, { type: 'review-failed', sessionId: 's-1', at: AT + 500, error: { code: 'io', message: SECRET, details } })
    expect(sdk.spans()[0]?.attributes).toMatchObject({
      'error.type': 'io',
      'hermes.review.applied': 2,
      'hermes.review.held': 1,
      'hermes.review.failed': 1,
    })
  })

  it('that was stopped is not an error', () => {
    listen()(started, { type: 'review-stopped', sessionId: 's-1', at: AT + 500 })
    expect(sdk.spans()[0]?.status.code).toBe(SpanStatusCode.UNSET)
    expect(sdk.spans()[0]?.attributes['hermes.review.result']).toBe('stopped')
  })

  it('that never ends is an abandoned one after an hour', async () => {
    const tell = listen()
    tell(started, { type: 'session-started', sessionId: 's-2', at: AT + 3_600_001, newSession: true, chars: 0 })
    const [span] = sdk.spans()
    expect(span?.status.code).toBe(SpanStatusCode.ERROR)
    expect(span?.attributes).toMatchObject({ 'error.type': 'abandoned', 'hermes.review.result': 'abandoned' })
    expect(await sdk.points('gen_ai.client.operation.duration')).toEqual([])
  })

  it('whose start was not seen began as long ago as its model took', () => {
    listen()(finished)
    expect(timesOf(sdk.spans()[0]!)).toEqual([AT + 500, AT + 2_000])
  })

  it('ends no earlier than it began, whatever the clock does, and the SDK has nothing to warn of', async () => {
    const warned: string[] = []
    const ignore = () => {}
    const warn = (message: string) => warned.push(message)
    diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, { suppressOverrideMessage: true })
    listen()(started, { ...finished, at: AT - 5_000 })
    diag.disable()
    expect(warned).toEqual([])
    expect(timesOf(sdk.spans()[0]!)).toEqual([AT, AT])
    expect(sumOf((await sdk.points('gen_ai.client.operation.duration'))[0])).toBe(0)
  })

  it('has the times of the host clock, a small one too', () => {
    listen()({ ...started, at: 5 }, { ...finished, at: 25 })
    expect(timesOf(sdk.spans()[0]!)).toEqual([5, 25])
  })

  it('is distinguished from another of the same session id in another home, and names the owner only if asked', () => {
    const [ada, bob] = [{ tenant: 'acme', user: 'ada' }, { user: 'bob' }]
    const events = [
      { ...started, owner: ada },
      { ...started, owner: bob, at: AT + 1 },
      { ...finished, owner: ada },
      { ...finished, owner: bob },
    ]
    listen()(...events)
    expect(sdk.spans().map((span) => timesOf(span)[0])).toEqual([AT, AT + 1])
    expect(JSON.stringify(sdk.spans().map(({ attributes }) => attributes))).not.toMatch(/ada|acme|bob/)
    listen({ recordOwner: true })(...events)
    expect(sdk.spans().map(({ attributes }) => [attributes['hermes.tenant'], attributes['user.id']])).toEqual([
      ['acme', 'ada'],
      [undefined, 'bob'],
    ])
  })
})

describe('a curator run', () => {
  const report = { checkedAt: AT - 4_000, finishedAt: AT, transitioned: [{ name: SECRET }], skipped: [] }

  it('is one span over the time it took', async () => {
    const consolidation = { consolidated: [{ name: SECRET }] }
    listen()({ type: 'curator-finished', at: AT, reason: 'scheduled', outcome: { report, consolidation }, cost: COST })
    const [span] = sdk.spans()
    expect(span?.name).toBe('curate_skills')
    expect(timesOf(span!)).toEqual([AT - 4_000, AT])
    expect(span?.attributes).toMatchObject({
      'gen_ai.operation.name': 'curate_skills',
      'gen_ai.usage.output_tokens': 80,
      'hermes.curator.reason': 'scheduled',
      'hermes.curator.transitioned': 1,
      'hermes.curator.merged': 1,
    })
    expect(sumOf((await sdk.points('gen_ai.client.operation.duration'))[0])).toBe(4)
  })

  it('that failed is an error', () => {
    listen()({ type: 'curator-failed', at: AT, reason: 'requested', error: { ...error, details: { report } } })
    expect(sdk.spans()[0]?.status.code).toBe(SpanStatusCode.ERROR)
    expect(timesOf(sdk.spans()[0]!)).toEqual([AT - 4_000, AT])
  })
})

describe('a change of memory', () => {
  const changed = {
    type: 'memory-changed',
    at: AT + 1_000,
    sessionId: 's-1',
    actor: 'review',
    target: 'user',
    added: [SECRET],
    removed: [],
    evicted: [{ text: SECRET }],
  }

  it('of a review is an event of its span', () => {
    listen()(started, changed, finished)
    const [span, ...more] = sdk.spans()
    expect(more).toEqual([])
    expect(span?.events).toMatchObject([
      {
        name: 'create_memory',
        attributes: { 'gen_ai.memory.store.id': 'user', 'gen_ai.memory.record.count': 1, 'hermes.memory.evicted': 1 },
      },
    ])
  })

  it('of the agent is a span of its own, also while a review runs', () => {
    listen()(started, { ...changed, actor: 'agent', removed: [{ text: SECRET }] }, finished)
    expect(sdk.spans().map(({ name }) => name)).toEqual(['update_memory', 'upsert_memory'])
    expect(sdk.spans()[0]?.attributes).toMatchObject({ 'gen_ai.operation.name': 'update_memory', 'hermes.memory.actor': 'agent' })
    expect(sdk.spans()[1]?.events).toEqual([])
  })

  it('is counted by what happened, to which store, and by whom', async () => {
    listen()(changed, { ...changed, actor: 'person', target: 'memory', added: [], evicted: [], removed: [{ text: 'x' }, { text: 'y' }] })
    const points = await sdk.points('hermes.memory.changes')
    expect(points.map(({ attributes, value }) => [...Object.values(attributes), value])).toEqual([
      ['added', 'review', 'user', 1],
      ['evicted', 'review', 'user', 1],
      ['removed', 'person', 'memory', 2],
    ])
  })
})

describe('failures', () => {
  it('are counted by type and code', async () => {
    listen()(
      { type: 'storage-failed', at: AT, operation: 'save session', error },
      { type: 'storage-failed', at: AT, operation: 'save session', error },
      { type: 'host-failed', sessionId: 's-1', at: AT, operation: 'background', error },
      { type: 'wiring-failed', at: AT, mistake: 'missing-owner', error },
      { type: 'turns-dropped', sessionId: 's-1', at: AT, turns: 7 },
      { type: 'review-waits', sessionId: 's-1', at: AT, reason: 'budget', turns: 10 },
      { type: 'learning-paused', sessionId: 's-1', at: AT, failures: 3, until: AT + 1 },
    )
    expect(sdk.spans()).toEqual([])
    const points = await sdk.points('hermes.events')
    expect(points.map(({ attributes, value }) => [...Object.values(attributes), value])).toEqual([
      ['storage-failed', 'timeout', 'save session', 2],
      ['host-failed', 'timeout', 'background', 1],
      ['wiring-failed', 'timeout', 'missing-owner', 1],
      ['turns-dropped', 1],
      ['review-waits', 'budget', 1],
      ['learning-paused', 1],
    ])
    expect((await sdk.points('hermes.turns.dropped')).map(({ value }) => value)).toEqual([7])
  })

  it('during a review mark its span, although it finishes', () => {
    listen()(started, { type: 'storage-failed', sessionId: 's-1', at: AT + 100, operation: 'save session', error }, finished)
    const [span] = sdk.spans()
    expect(span?.status.code).toBe(SpanStatusCode.ERROR)
    expect(span?.attributes).toMatchObject({ 'error.type': 'timeout', 'hermes.review.result': 'finished' })
    expect(span?.events.map(({ name }) => name)).toEqual(['hermes.storage-failed'])
  })
})

describe('what cannot be known beforehand', () => {
  it('events of a newer core are counted by their type', async () => {
    listen()({ type: 'dream-finished', at: AT, dreams: [SECRET] })
    const [point] = await sdk.points('hermes.events')
    expect(point?.attributes).toEqual({ 'hermes.event.type': 'dream-finished' })
    expect(sdk.spans()).toEqual([])
  })

  it.each([
    {},
    { type: 7 },
    { type: 'review-finished' },
    { type: 'review-finished', at: 'noon' },
    { type: 'review-finished', at: AT, outcome: null, cost: 'free' },
    { type: 'review-failed', at: AT, error: null },
    { type: 'curator-finished', at: AT, outcome: { report: 'none' } },
    { type: 'memory-changed', at: AT, added: 'x' },
    { type: 'review-started', at: Number.MAX_VALUE, owner: 'ada' },
  ])('an event of an unknown shape, %j, is not an error', (event) => {
    expect(() => listen()(event)).not.toThrow()
  })

  it('no text of a memory, of a proposal or of an error reaches a span or a metric', async () => {
    const change = {
      type: 'memory-changed',
      at: AT,
      target: 'user',
      added: [SECRET],
      removed: [{ text: SECRET }],
      evicted: [{ text: SECRET }],
    }
    listen()(
      started,
      { ...change, sessionId: 's-1', actor: 'review' },
      { ...change, actor: 'agent' },
      { type: 'storage-failed', sessionId: 's-1', at: AT, operation: 'save', error },
      finished,
      { type: 'review-failed', sessionId: 's-2', at: AT, error },
    )
    const told = sdk.spans().map(({ attributes, events, status, name }) => ({ attributes, events, status, name }))
    expect(told).toHaveLength(3)
    expect(JSON.stringify(told)).not.toContain('Ada')
    for (const metric of await sdk.metricNames()) expect(JSON.stringify(await sdk.points(metric))).not.toContain('Ada')
  })
})

describe('the listener', () => {
  it('calls the next one with every event', () => {
    const seen: HermesEvent[] = []
    listen({ next: (event) => seen.push(event) })(started, finished)
    expect(seen).toEqual([started, finished])
  })

  it('calls the next one if the tracer throws, and never throws itself', async () => {
    const seen: string[] = []
    const broken = {
      ...memorySdk().tracer,
      startSpan: () => {
        throw new Error('broken tracer')
      },
    } as unknown as HermesTelemetryOptions['tracer']
    const next: HermesEventListener = ({ type }) => {
      seen.push(type)
      throw new Error('broken listener')
    }
    const tell = listen({ tracer: broken, next })
    expect(() => tell(started, finished)).not.toThrow()
    expect(seen).toEqual(['review-started', 'review-finished'])
    expect(await sdk.points('hermes.events')).toHaveLength(2)
  })

  it('is refused without a tracer or a meter, in words that say what to pass', () => {
    const { tracer, meter } = memorySdk()
    const given = (options: object) => () => hermesTelemetry(options as HermesTelemetryOptions)
    expect(given({ meter })).toThrow("'tracer' has no method 'startSpan'. Pass what trace.getTracer(name) of '@opentelemetry/api' returns.")
    expect(given({ tracer })).toThrow(
      "'meter' has no method 'createHistogram'. Pass what metrics.getMeter(name) of '@opentelemetry/api' returns.",
    )
  })

  it('holds no more than 1,000 reviews', () => {
    const tell = listen()
    for (let index = 0; index < 1_500; index++) tell({ ...started, sessionId: `s-${index}` })
    expect(sdk.spans()).toHaveLength(500)
    expect(new Set(sdk.spans().map(({ attributes }) => attributes['error.type']))).toEqual(new Set(['abandoned']))
  })
})
