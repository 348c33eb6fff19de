import { expect, it } from 'vitest'
import { HermesError, type HermesErrorCode } from '../shared/hermes-error.ts'
import { emptyOutcome, hasWritten, isUnwritable, joinOutcomes, type ReviewOutcome } from './review-outcome.ts'

const outcome = (name: keyof ReviewOutcome, reason: string): ReviewOutcome => ({ ...emptyOutcome(), [name]: [{ proposal: {}, reason }] })

it('joins the outcomes of two reviews, each bucket in order', () => {
  for (const name of ['applied', 'held', 'rejected', 'failed'] as const) {
    const [first, then] = [outcome(name, 'first'), outcome(name, 'then')]
    expect(joinOutcomes(first, then)).toEqual({ ...emptyOutcome(), [name]: [...first[name], ...then[name]] })
    expect(hasWritten(first)).toBe(name === 'applied' || name === 'held')
  }
  expect(hasWritten(emptyOutcome())).toBe(false)
})

it.each<[HermesErrorCode, boolean, object?]>([
  ['io', true],
  ['no_space', true],
  ['locked', true],
  ['invalid_path', true],
  ['occupied', true],
  ['over_limit', false],
  ['capped', false, { causeCode: 'over_limit' }],
  ['capped', true, { causeCode: 'io' }],
])('%s cannot be written: %s', (code, expected, details = {}) => {
  expect(isUnwritable(new HermesError(code, 'no', { details: { ...details } }))).toBe(expected)
})
