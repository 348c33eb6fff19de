import { describe, expect, it } from 'vitest'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok } from '../../shared/result.ts'
import { guarded, toRecord } from './record-verdict.ts'

const FACT: ReviewProposal = { target: 'user', op: { action: 'add', content: 'Lives in Oslo' }, rationale: '', score: 0.9 }
const SKILL: ReviewProposal = { target: 'skill', op: { action: 'archive', name: 'deploy' }, rationale: 'old', score: 1, evidence: [] }

describe('the record of a proposal', () => {
  it('says who, in which review, on which grounds and by which model, as far as that is known', () => {
    const model = () => 'm-1'
    const evidence = [{ messageId: 'm1', quote: 'I live in Oslo' }]
    const known = { sessionId: 's1', reviewId: 'r1', pass: 'own-words', actor: 'agent', model } as const
    const verdict = { verdict: 'approve', reason: 'said', origin: 'user' } as const
    expect(toRecord(known, { kind: 'applied', reason: 'said' }, { ...SKILL, evidence }, verdict)).toEqual({
      actor: 'agent',
      kind: 'applied',
      reason: 'said',
      sessionId: 's1',
      review: 'r1',
      pass: 'own-words',
      target: 'skill',
      op: SKILL.op,
      score: 1,
      rationale: 'old',
      evidence,
      origin: 'user',
      model: 'm-1',
    })
    expect(toRecord({ model }, { kind: 'applied', reason: 'said' }, { ...FACT, evidence: [] })).toStrictEqual({
      actor: 'review',
      kind: 'applied',
      reason: 'said',
      target: 'user',
      op: FACT.op,
      score: 0.9,
    })
    expect(toRecord({ model: () => undefined }, { kind: 'failed', reason: 'no', error: new HermesError('io', 'no') }, SKILL)).toStrictEqual(
      {
        actor: 'review',
        kind: 'failed',
        reason: 'no',
        target: 'skill',
        op: SKILL.op,
        score: 1,
        rationale: 'old',
        error: { code: 'io', message: 'no' },
      },
    )
  })
})

describe('a side effect that fails', () => {
  it('fails nobody, whether it is reported or not', async () => {
    const cause = new Error('disk')
    const seen: HermesError[] = []
    const onFailure = (error: HermesError) => seen.push(error)
    expect(await guarded({ onFailure }, 'journal', async () => ok('done'))).toBe('done')
    expect(await guarded({ onFailure }, 'journal', () => Promise.reject(cause))).toBeUndefined()
    expect(await guarded({ onFailure }, 'journal', async () => err(new HermesError('locked', 'busy')))).toBeUndefined()
    expect(seen).toMatchObject([{ code: 'io', cause }, { code: 'locked' }])
    expect(await guarded({}, 'journal', () => Promise.reject(cause))).toBeUndefined()
  })
})
