import { describe, expect, it, vi } from 'vitest'
import type { GateContext, ReviewGate } from '../../gate/review-gate.ts'
import { MemoryStore } from '../../memory/memory-store.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok } from '../../shared/result.ts'
import { inMemoryBackend } from '../../storage/in-memory.ts'
import { Disposal, toRecord } from './disposal.ts'

const proposal = (content: string): ReviewProposal => ({ target: 'user', op: { action: 'add', content }, rationale: 'said', score: 0.9 })

const context = (...user: readonly string[]): GateContext => ({
  transcript: [],
  entries: { memory: [], user },
  origins: { memory: new Map(), user: new Map(user.map((entry) => [entry, 'user'])) },
  unattended: true,
})

const approve = () => ok({ verdict: 'approve', reason: 'fine' } as const)

const asking = (gate: ReviewGate) => {
  const answers = new Map()
  const store = new MemoryStore({ storage: inMemoryBackend() })
  // Each try of an update is a disposal of its own.
  return (...given: Parameters<Disposal['ask']>) => new Disposal({ gate, store, answers }).ask(...given)
}

it('asks about a proposal once, and again if the stores differ', async () => {
  const gate = vi.fn<ReviewGate>(async () => approve())
  const ask = asking(gate)
  for (const entries of [[], [], ['Lives in Oslo'], ['Lives in Oslo']])
    expect(await ask(proposal('Plays'), context(...entries))).toEqual(approve())
  expect(gate).toHaveBeenCalledTimes(2)
  await ask(proposal('Sings'), context())
  const known = { ...context('Lives in Oslo'), origins: { memory: new Map(), user: new Map([['Lives in Oslo', 'external' as const]]) } }
  await ask(proposal('Plays'), known)
  expect(gate).toHaveBeenCalledTimes(4)
})

it('asks again after a failure', async () => {
  const gate = vi
    .fn<ReviewGate>()
    .mockResolvedValueOnce(err(new HermesError('gate', 'down')))
    .mockResolvedValue(approve())
  const ask = asking(gate)
  expect(await ask(proposal('Plays'), context())).toMatchObject({ ok: false })
  expect(await ask(proposal('Plays'), context())).toEqual(approve())
})

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
