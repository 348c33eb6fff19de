import { expect, it } from 'vitest'
import { emptyOutcome, hasWritten, joinOutcomes, type ReviewOutcome } from './review-outcome.ts'

const applied = { proposal: 'a' } as unknown as ReviewOutcome['applied'][number]
const failed = { proposal: 'f' } as unknown as ReviewOutcome['failed'][number]
const held = { proposal: 'h', reason: 'ask' } as unknown as ReviewOutcome['held'][number]
const refused = { proposal: 'r', reason: 'no' }

it('has written if anything was applied or held', () => {
  const outcomes = [{ applied: [applied] }, { held: [held], rejected: [refused] }, { rejected: [refused] }, { failed: [failed] }, {}]
  expect(outcomes.map((each) => hasWritten({ ...emptyOutcome(), ...each }))).toEqual([true, true, false, false, false])
})

it('joins two outcomes in order, bucket by bucket', () => {
  const other = { ...refused, proposal: 'o' }
  const first = { applied: [applied], held: [held], rejected: [refused], failed: [failed] }
  const second = { applied: [], held: [], rejected: [other], failed: [failed] }
  const joined = { applied: [applied], held: [held], failed: [failed, failed] }
  expect(joinOutcomes(first, second)).toEqual({ ...joined, rejected: [refused, other] })
  expect(joinOutcomes(second, first)).toEqual({ ...joined, rejected: [other, refused] })
})
