import { describe, expect, it } from 'vitest'
import {
  costAttributes,
  costOf,
  countedBy,
  curatorAttributes,
  curatorReportOf,
  errorTypeOf,
  identityAttributes,
  memoryChangeAttributes,
  memoryChangeOf,
  outcomeAttributes,
  reviewStartAttributes,
} from './event-attributes.ts'

const COST = { model: 'm-1', calls: 2, inputTokens: 900, cachedInputTokens: 300, outputTokens: 80, estimated: false, durationMs: 1_500 }

describe('the cost of an event', () => {
  it('is read whole', () => {
    expect(costOf({ cost: COST })).toEqual(COST)
    expect(costAttributes(costOf({ cost: COST }))).toEqual({
      'gen_ai.request.model': 'm-1',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.cache_read.input_tokens': 300,
      'gen_ai.usage.output_tokens': 80,
      'hermes.model.calls': 2,
      'hermes.usage.estimated': false,
    })
  })

  it('is absent if no model was called', () => {
    expect(costOf({})).toBeUndefined()
    expect(costAttributes(undefined)).toEqual({})
  })

  it('has zeros for what is not a number, and no model for what is not a text', () => {
    const odd = costOf({ cost: { model: 7, calls: 'two', inputTokens: Number.NaN, outputTokens: -1, estimated: 'yes' } })
    expect(odd).toEqual({ calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, estimated: false, durationMs: 0 })
    expect(costAttributes(odd)).not.toHaveProperty('gen_ai.request.model')
  })
})

describe('whose event it is', () => {
  const event = { sessionId: 's-1', owner: { tenant: 'acme', user: 'ada' } }

  it('names the conversation, and the owner only if it is asked for', () => {
    expect(identityAttributes(event, false)).toEqual({ 'gen_ai.conversation.id': 's-1' })
    expect(identityAttributes(event, true)).toEqual({ 'gen_ai.conversation.id': 's-1', 'user.id': 'ada', 'hermes.tenant': 'acme' })
  })

  it('is nobody if the event says nothing', () => {
    expect(identityAttributes({}, true)).toEqual({})
  })
})

describe('a review', () => {
  it('tells its kind and what it reads', () => {
    expect(reviewStartAttributes({ reviews: 'both', turns: 10, iterations: 3 })).toEqual({
      'hermes.review.kind': 'both',
      'hermes.review.turns': 10,
      'hermes.review.iterations': 3,
    })
  })

  it('counts proposals once each: those that are held are not rejected as well', () => {
    const outcome = { applied: [{}, {}], held: [{}], rejected: [{}, {}], failed: [{}] }
    expect(outcomeAttributes({ outcome })).toEqual({
      'hermes.review.applied': 2,
      'hermes.review.rejected': 2,
      'hermes.review.held': 1,
      'hermes.review.failed': 1,
    })
  })
})

describe('a curator run', () => {
  it('counts transitions and merges', () => {
    const outcome = { report: { checkedAt: 5_000, transitioned: [{}, {}] }, consolidation: { consolidated: [{}] } }
    expect(curatorAttributes({ reason: 'scheduled', outcome })).toEqual({
      'hermes.curator.reason': 'scheduled',
      'hermes.curator.transitioned': 2,
      'hermes.curator.merged': 1,
    })
    expect(curatorReportOf({ outcome }).startedAt).toBe(5_000)
  })

  it('that failed tells what it had done, from its error', () => {
    const event = { reason: 'requested', error: { code: 'io', details: { report: { checkedAt: 7_000, transitioned: [{}] } } } }
    expect(curatorAttributes(event)).toMatchObject({ 'hermes.curator.transitioned': 1 })
    expect(curatorReportOf(event).startedAt).toBe(7_000)
  })
})

describe('a change of memory', () => {
  const one = { text: 'a secret' }
  it.each([
    ['create_memory', { added: ['x', 'y'], removed: [], evicted: [] }, 2],
    ['create_memory', { added: ['x'], removed: [], evicted: [one, one] }, 1],
    ['update_memory', { added: ['x'], removed: [one], evicted: [] }, 1],
    ['delete_memory', { added: [], removed: [one, one], evicted: [] }, 2],
    ['delete_memory', { added: [], removed: [], evicted: [one] }, 1],
  ])('is %s for %o', (operation, entries, records) => {
    const change = memoryChangeOf({ actor: 'agent', target: 'user', ...entries })
    expect(change.operation).toBe(operation)
    const attributes = memoryChangeAttributes(change)
    expect(attributes).toMatchObject({
      'gen_ai.memory.store.id': 'user',
      'gen_ai.memory.record.count': records,
      'hermes.memory.actor': 'agent',
      'hermes.memory.added': entries.added.length,
      'hermes.memory.removed': entries.removed.length,
      'hermes.memory.evicted': entries.evicted.length,
    })
    expect(JSON.stringify(attributes)).not.toContain('secret')
  })
})

describe('what an event is counted by', () => {
  it('is its type, its error code, its operation, its mistake and its reason', () => {
    expect(countedBy({ type: 'storage-failed', operation: 'save session', error: { code: 'no_space', message: 'a secret' } })).toEqual({
      'hermes.event.type': 'storage-failed',
      'error.type': 'no_space',
      'hermes.operation': 'save session',
    })
    expect(countedBy({ type: 'wiring-failed', mistake: 'missing-owner' })).toMatchObject({ 'hermes.mistake': 'missing-owner' })
    expect(countedBy({ type: 'review-waits', reason: 'budget', sessionId: 's' })).toEqual({
      'hermes.event.type': 'review-waits',
      'hermes.reason': 'budget',
    })
  })

  it('is `_OTHER` for an error without a code, and `unknown` for an event without a type', () => {
    expect(errorTypeOf({ error: new Error('odd') })).toBe('_OTHER')
    expect(countedBy({})).toEqual({ 'hermes.event.type': 'unknown' })
  })
})
