import { HermesError, type HermesEvent, type ReviewOutcome } from '@hermes/core'
import { expect, it } from 'vitest'
import { describeEvent } from './describe-event.ts'

const proposal = { target: 'user', op: { action: 'add', content: 'a' }, rationale: '', score: 0.4 } as const
const applied = {
  proposal,
  verdict: { approved: true, reason: 'fine' },
  outcome: { target: 'user', message: '', entryCount: 1, usedChars: 1, charLimit: 9, usage: '', previous: [] },
} as const
const finished = (outcome: Partial<ReviewOutcome>): HermesEvent => ({
  type: 'review-finished',
  sessionId: 's',
  at: 0,
  outcome: { applied: [], rejected: [], failed: [], ...outcome },
})

it('tells the three buckets of a review with their reasons in one line', () => {
  const outcome = {
    applied: [applied, applied],
    rejected: [
      { proposal, reason: 'score 0.4 < 0.7', held: false },
      { proposal, reason: 'nobody said it', held: true },
    ],
    failed: [{ proposal, error: new HermesError('over_limit', 'the store is full') }],
  }
  expect(describeEvent(finished(outcome), 10)?.text).toBe(
    '· review after 10 turns: 2 applied, 1 held for you (nobody said it), 1 rejected (score 0.4 < 0.7), 1 failed (the store is full)',
  )
  expect(describeEvent(finished({}), 1)?.text).toBe('· review after 1 turn: 0 applied, 0 rejected, 0 failed')
})

it('tells failures as problems, and nothing about what needs no telling', () => {
  const error = new HermesError('unwritable', 'No permission to write.')
  expect(describeEvent({ type: 'storage-failed', sessionId: 's', at: 0, operation: 'save session', error }, undefined)).toEqual({
    tone: 'problem',
    text: '· memory problem (save session): No permission to write. The chat goes on without it.',
  })
  expect(describeEvent({ type: 'review-failed', sessionId: 's', at: 0, error }, 10)?.tone).toBe('problem')
  expect(describeEvent({ type: 'review-started', sessionId: 's', at: 0, turns: 10 }, 10)).toBeUndefined()
})
