import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReviewProposal } from '../proposal/review-proposal.ts'
import { ok } from '../shared/result.ts'
import { DEFAULT_REVIEW_SCORE_THRESHOLD, everyGate, scoreThresholdGate } from './gates.ts'
import { type GateVerdict, type ReviewGate, type SeedVerdict, toVerdict } from './review-gate.ts'

const proposal = (score: number): ReviewProposal => ({ target: 'memory', op: { action: 'add', content: 'x' }, rationale: '', score })
const approved = async (gate: ReviewGate<SeedVerdict>, score: number) => {
  const verdict = await gate(proposal(score))
  return verdict.ok && verdict.value.approved
}

describe('scoreThresholdGate', () => {
  it('approves from 0.7 on, the boundary included', async () => {
    expect(DEFAULT_REVIEW_SCORE_THRESHOLD).toBe(0.7)
    expect(await approved(scoreThresholdGate(), 0.7)).toBe(true)
    expect(await approved(scoreThresholdGate(), 0.69)).toBe(false)
  })

  it('answers a no as an ordinary result with a reason', async () => {
    expect(await scoreThresholdGate()(proposal(0.6))).toEqual({
      ok: true,
      value: { approved: false, reason: expect.stringContaining('0.6') },
    })
  })

  it('answers every score', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double(), fc.double({ min: 0, max: 1, noNaN: true }), async (score, min) => {
        expect(await approved(scoreThresholdGate(min), score)).toBe(score >= min)
      }),
      { seed: 7 },
    )
  })

  it.each([Number.NaN, -0.1, 1.1, Number.POSITIVE_INFINITY, '0.5'])('refuses the threshold %j', (min) => {
    // An untyped caller.
    expect(() => scoreThresholdGate(min as number)).toThrow(RangeError)
  })
})

describe('toVerdict', () => {
  const read = (given: object) => toVerdict({ reason: 'why', ...given } as GateVerdict).verdict

  it('takes only a plain yes that nothing contradicts for a yes', () => {
    expect(read({ verdict: 'approve' })).toBe('approve')
    expect(read({ verdict: 'approve', approved: true })).toBe('approve')
    expect(read({ approved: true, held: false })).toBe('approve')
    for (const no of [{}, { approved: 'yes' }, { approved: 1 }, { verdict: 'yes' }, { verdict: true }, { verdict: 'yes', approved: true }])
      expect(read(no)).toBe('reject')
    for (const no of [
      { verdict: 'approve', approved: false },
      { verdict: 'approve', approved: 'yes' },
      { verdict: 'approve', approved: null },
      { verdict: 'reject', approved: true },
    ])
      expect(read(no)).toBe('reject')
    for (const both of [
      { approved: true, held: true },
      { verdict: 'approve', held: true },
      { verdict: 'hold', approved: true },
      { approved: true, held: 'yes' },
      { verdict: 'approve', held: 1 },
    ])
      expect(read(both)).toBe('hold')
    expect(read({ verdict: 'reject', held: true })).toBe('reject')
  })
})

describe('everyGate', () => {
  const says =
    (verdict: GateVerdict): ReviewGate =>
    async () =>
      ok(verdict)
  const yes = says({ approved: true, reason: 'yes' })
  const hold = says({ approved: false, held: true, reason: 'wait', origin: 'assistant' })
  const no = says({ approved: false, reason: 'no', origin: 'tool' })
  const never: ReviewGate = async () => {
    throw new Error('must not be asked')
  }

  it('lets a rejection win over an earlier hold, and a hold over approval', async () => {
    expect(await everyGate(hold, no)(proposal(1))).toEqual(ok({ verdict: 'reject', reason: 'no', origin: 'tool' }))
    expect(await everyGate(yes, hold, yes)(proposal(1))).toEqual(ok({ verdict: 'hold', reason: 'wait', origin: 'assistant' }))
  })

  it('understands both shapes of an answer', async () => {
    const fine = says({ verdict: 'approve', reason: 'fine' })
    expect(await everyGate(yes, fine)(proposal(1))).toEqual(ok({ verdict: 'approve', reason: 'yes fine' }))
    expect(await everyGate(fine, hold)(proposal(1))).toMatchObject(ok({ verdict: 'hold' }))
    expect(await everyGate(says({ verdict: 'reject', reason: 'no' }), never)(proposal(1))).toEqual(ok({ verdict: 'reject', reason: 'no' }))
  })

  it('does not exist without a gate', () => {
    expect(() => everyGate()).toThrow(TypeError)
  })

  it.each([[[yes, hold]], [{ gates: [yes] }], [undefined]])('refuses an argument that is no gate', (other) => {
    // An untyped caller.
    expect(() => everyGate(yes, other as unknown as ReviewGate)).toThrow('everyGate: each gate must be a function')
  })
})
