import { expect, it } from 'vitest'
import { describeEnd, describeLearning, describeRequest, plainReason, type ReviewStart } from './describe-review.ts'

const started = (turns: number): ReviewStart => ({ type: 'review-started', sessionId: 's', at: 0, reviews: 'memory', turns, iterations: 0 })

it('tells from how much is learned, and how to skip it', () => {
  expect(describeLearning(started(4))).toBe('· Learning from 4 turns … Ctrl-C skips.')
  expect(describeLearning(started(1))).toBe('· Learning from 1 turn … Ctrl-C skips.')
  expect(describeLearning(started(0))).toBe('· Learning … Ctrl-C skips.')
})

it('tells why nothing is learned if no event does', () => {
  expect(describeEnd({ kind: 'busy' })).toMatch(/^· another review of this home is running/)
  expect(describeEnd({ kind: 'waits', reason: 'breaker' })).toBe(
    '· the review waits: the last reviews failed; the turns stay unread until then',
  )
  for (const run of [undefined, { kind: 'nothing-due', unreadTurns: 0 }, { kind: 'stopped' }, { kind: 'no-model' }] as const)
    expect(describeEnd(run)).toBeUndefined()
})

it('says why a review that was asked for read nothing', () => {
  expect(describeRequest({ kind: 'nothing-due', unreadTurns: 0 })).toBe(
    '· nothing to review: every turn has been read, or reviews of memory are off',
  )
  expect(describeRequest({ kind: 'busy' })).toMatch(/another review/)
  expect(describeRequest({ kind: 'stopped' })).toBeUndefined()
})

it('leaves out the numbers of messages, which a person cannot look up', () => {
  expect(plainReason('It holds a rule (see m9). It waits.')).toBe('It holds a rule. It waits.')
  expect(plainReason('From there (see m1, m12).')).toBe('From there.')
})
