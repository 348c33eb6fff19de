import { expect, it } from 'vitest'
import { emptyOutcome, hasWritten, joinOutcomes, type ReviewOutcome } from './review-outcome.ts'

const applied = { proposal: 'a' } as unknown as ReviewOutcome['applied'][number]
const failed = { proposal: 'f' } as unknown as ReviewOutcome['failed'][number]
const held = { proposal: 'h', reason: 'ask', held: true }
const refused = { proposal: 'r', reason: 'no', held: false }

it('has written if anything was applied or held', () => {
  const outcomes = [{ applied: [applied] }, { rejected: [refused, held] }, { rejected: [refused] }, { failed: [failed] }, {}]
  expect(outcomes.map((each) => hasWritten({ ...emptyOutcome(), ...each }))).toEqual([true, true, false, false, false])
})

it('joins two outcomes in order, bucket by bucket', () => {
  const first = { applied: [applied], rejected: [held], failed: [failed] }
  const second = { applied: [], rejected: [refused], failed: [failed] }
  expect(joinOutcomes(first, second)).toEqual({ applied: [applied], rejected: [held, refused], failed: [failed, failed] })
  expect(joinOutcomes(second, first)).toEqual({ applied: [applied], rejected: [refused, held], failed: [failed, failed] })
})
