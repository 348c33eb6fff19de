/** A whole Hermes with a scripted reviewer and a real SDK. */
import { createHermes, createHermesHomes, type HermesEvent, type HermesOptions, type HostModel, inMemoryBackend } from '@hermes/core'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hermesTelemetry } from '../src/hermes-telemetry.ts'
import { memorySdk, sumOf, timesOf } from './memory-sdk.ts'

const FACT = 'Prefers tabs over spaces.'

const answer = JSON.stringify({
  proposals: [{ target: 'user', op: { action: 'add', content: FACT }, rationale: 'said', score: 0.9, evidence: [] }],
})

const TURN = [
  { role: 'user', text: 'I prefer tabs over spaces.' },
  { role: 'assistant', text: 'Noted.' },
] as const

let sdk = memorySdk()
beforeEach(() => {
  sdk = memorySdk()
})
afterEach(() => sdk.shutdown())

const options = (model: HostModel, events: HermesEvent[]): HermesOptions => ({
  storage: inMemoryBackend(),
  nudge: { memoryInterval: 1, skillInterval: 0 },
  review: { model },
  onEvent: hermesTelemetry({ tracer: sdk.tracer, meter: sdk.meter, next: (event) => events.push(event) }),
})

const timeOf = (events: readonly HermesEvent[], type: string) => events.find((event) => event.type === type)?.at

const USAGE = { inputTokens: 900, cachedInputTokens: 300, outputTokens: 40 }

const counting: HostModel = async () => ({ text: answer, usage: USAGE, model: 'small-1' })

const learnFrom = async (model: HostModel) => {
  const hermes = createHermes(options(model, []))
  hermes.session('chat-1').recordTurn({ messages: [...TURN] })
  await hermes.settled()
  return hermes
}

const spanOf = (name: string) => sdk.spans().find((span) => span.name === name)

const tokensIn = async (metric: string) =>
  (await sdk.points(metric)).map(({ attributes, value }) => [attributes['gen_ai.token.type'], attributes['gen_ai.request.model'], value])

describe('what a review costs', () => {
  it('is on its span and in the metric of tokens, as the provider counted it', async () => {
    const hermes = await learnFrom(counting)
    expect(spanOf('upsert_memory')?.attributes).toMatchObject({
      'gen_ai.request.model': 'small-1',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.cache_read.input_tokens': 300,
      'gen_ai.usage.output_tokens': 40,
      'hermes.model.calls': 1,
      'hermes.usage.estimated': false,
    })
    const points = await sdk.points('gen_ai.client.token.usage')
    expect(points.map((point) => [point.attributes['gen_ai.token.type'], point.attributes['gen_ai.request.model'], sumOf(point)])).toEqual([
      ['input', 'small-1', 900],
      ['output', 'small-1', 40],
    ])
    expect(await tokensIn('hermes.learning.estimated_tokens')).toEqual([])
    await hermes.close()
  })

  it('is an estimate if the provider counts nothing, and kept apart', async () => {
    const hermes = await learnFrom(async () => answer)
    const attributes = spanOf('upsert_memory')?.attributes
    expect(attributes).toMatchObject({ 'hermes.model.calls': 1, 'hermes.usage.estimated': true })
    const [input, output] = [attributes?.['gen_ai.usage.input_tokens'], attributes?.['gen_ai.usage.output_tokens']]
    expect(Number(input)).toBeGreaterThan(100)
    expect(Number(output)).toBeGreaterThan(10)
    expect(await tokensIn('hermes.learning.estimated_tokens')).toEqual([
      ['input', undefined, input],
      ['output', undefined, output],
    ])
    expect(await sdk.points('gen_ai.client.token.usage')).toEqual([])
    await hermes.close()
  })

  it('also reports a model that fails', async () => {
    const hermes = await learnFrom(() => Promise.reject(new Error('no quota')))
    expect(spanOf('upsert_memory')?.attributes).toMatchObject({
      'hermes.review.result': 'failed',
      'hermes.usage.estimated': true,
      'gen_ai.usage.output_tokens': 0,
    })
    await hermes.close()
  })
})

describe('a write to memory', () => {
  it('of a review is an event of its span', async () => {
    const hermes = await learnFrom(counting)
    expect(spanOf('upsert_memory')?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        'create_memory',
        {
          'gen_ai.memory.store.id': 'user',
          'gen_ai.memory.record.count': 1,
          'hermes.memory.actor': 'review',
          'hermes.memory.added': 1,
          'hermes.memory.removed': 0,
          'hermes.memory.evicted': 0,
        },
      ],
    ])
    expect(spanOf('create_memory')).toBeUndefined()
    await hermes.close()
  })

  it('of the host is a span of its own, and counted by what came and went', async () => {
    const hermes = createHermes(options(counting, []))
    const store = hermes.memoryStore()
    await store.load()
    await store.apply('memory', { action: 'add', content: 'Tests run with pnpm test.' })
    await store.apply('memory', { action: 'replace', oldText: 'pnpm test', content: 'Tests run with pnpm check.' })
    await store.apply('memory', { action: 'remove', oldText: 'pnpm check' })
    const spans = sdk.spans().map(({ name, attributes }) => [name, attributes['hermes.memory.actor'], attributes['gen_ai.memory.store.id']])
    expect(spans).toEqual([
      ['create_memory', 'host', 'memory'],
      ['update_memory', 'host', 'memory'],
      ['delete_memory', 'host', 'memory'],
    ])
    const changes = await sdk.points('hermes.memory.changes')
    expect(changes.map(({ attributes, value }) => [attributes['hermes.memory.action'], value])).toEqual([
      ['added', 2],
      ['removed', 2],
    ])
    expect(JSON.stringify(sdk.spans().map(({ attributes }) => attributes))).not.toContain('pnpm')
    await hermes.close()
  })
})

describe('a turn that is reviewed', () => {
  it('is one span with the times of the events, and the host receives every event', async () => {
    const events: HermesEvent[] = []
    const hermes = createHermes(options(async () => answer, events))
    const session = hermes.session('chat-1')
    await session.systemBlock()
    session.recordTurn({ messages: [...TURN] })
    await hermes.settled()

    const reviews = sdk.spans().filter(({ name }) => name === 'upsert_memory')
    expect(reviews).toHaveLength(1)
    expect(reviews[0]?.attributes).toMatchObject({
      'gen_ai.conversation.id': 'chat-1',
      'hermes.review.kind': 'memory',
      'hermes.review.turns': 1,
      'hermes.review.result': 'finished',
      'hermes.review.applied': 1,
    })
    expect(timesOf(reviews[0]!)).toEqual([timeOf(events, 'review-started'), timeOf(events, 'review-finished')])
    const counted = await sdk.points('hermes.events')
    expect(counted.map(({ attributes }) => attributes['hermes.event.type'])).toEqual([...new Set(events.map(({ type }) => type))])
    const told = sdk.spans().map(({ attributes, events: within }) => [attributes, within])
    expect(JSON.stringify(told)).not.toContain('tabs')
    await hermes.close()
  })

  it('is an error if the model fails, without its words', async () => {
    const hermes = createHermes(options(() => Promise.reject(new Error('no quota for Ada')), []))
    hermes.session('chat-1').recordTurn({ messages: [...TURN] })
    await hermes.settled()
    const [span] = sdk.spans()
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span?.attributes).toMatchObject({ 'error.type': 'model', 'hermes.review.result': 'failed' })
    expect(JSON.stringify(span?.attributes)).not.toContain('Ada')
    await hermes.close()
  })

  it('survives a next listener that rejects', async () => {
    const seen: string[] = []
    const next = async ({ type }: HermesEvent) => {
      seen.push(type)
      throw new Error('broken listener')
    }
    const hermes = createHermes({
      ...options(async () => answer, []),
      // A listener that returns a promise is assignable where the type returns void.
      onEvent: hermesTelemetry({ tracer: sdk.tracer, meter: sdk.meter, next: (event) => next(event) }),
    })
    hermes.session('chat-1').recordTurn({ messages: [...TURN] })
    await hermes.settled()
    expect(seen).toContain('review-finished')
    await hermes.close()
  })

  it('belongs to the trace of the turn that it follows', async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    try {
      const hermes = createHermes(options(async () => answer, []))
      const request = sdk.tracer.startSpan('POST /chat')
      await context.with(trace.setSpan(context.active(), request), async () => {
        hermes.session('chat-1').recordTurn({ messages: [...TURN] })
        await hermes.settled()
      })
      request.end()
      const review = sdk.spans().find(({ name }) => name === 'upsert_memory')
      expect(review?.parentSpanContext?.spanId).toBe(request.spanContext().spanId)
      await hermes.close()
    } finally {
      context.disable()
    }
  })
})

it('the homes of two people have a span each, with the owners if they are asked for', async () => {
  const homes = createHermesHomes({
    storage: inMemoryBackend(),
    nudge: { memoryInterval: 1, skillInterval: 0 },
    review: { model: async () => answer },
    onEvent: hermesTelemetry({ tracer: sdk.tracer, meter: sdk.meter, recordOwner: true }),
  })
  for (const user of ['ada', 'bob'])
    homes
      .for(user)
      .session('chat')
      .recordTurn({ messages: [...TURN] })
  await homes.settled()
  const reviews = sdk.spans().filter(({ name }) => name === 'upsert_memory')
  expect(reviews.map(({ attributes }) => attributes['user.id']).sort()).toEqual(['ada', 'bob'])
  await homes.close()
})

it('a curator run is a span', async () => {
  const hermes = createHermes(options(async () => answer, []))
  const ran = await hermes.curator.run()
  expect(ran.ok).toBe(true)
  const span = sdk.spans().find(({ name }) => name === 'curate_skills')
  expect(span?.attributes).toMatchObject({ 'hermes.curator.reason': 'requested', 'hermes.curator.transitioned': 0 })
  await hermes.close()
})
