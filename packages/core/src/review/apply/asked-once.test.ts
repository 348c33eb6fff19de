import { expect, it, vi } from 'vitest'
import type { GateContext, ReviewGate } from '../../gate/review-gate.ts'
import type { ReviewProposal } from '../../proposal/review-proposal.ts'
import { HermesError } from '../../shared/hermes-error.ts'
import { err, ok } from '../../shared/result.ts'
import { askedOnce } from './asked-once.ts'

const proposal = (content: string): ReviewProposal => ({ target: 'user', op: { action: 'add', content }, rationale: 'said', score: 0.9 })

const context = (...user: readonly string[]): GateContext => ({
  transcript: [],
  entries: { memory: [], user },
  origins: { memory: new Map(), user: new Map(user.map((entry) => [entry, 'user'])) },
  unattended: true,
})

const approve = () => ok({ approved: true, reason: 'fine' })

it('asks about a proposal once, and again if the stores differ', async () => {
  const gate = vi.fn<ReviewGate>(async () => approve())
  const once = askedOnce(gate)
  for (const entries of [[], [], ['Lives in Oslo'], ['Lives in Oslo']])
    expect(await once(proposal('Plays'), context(...entries))).toEqual(approve())
  expect(gate).toHaveBeenCalledTimes(2)
  await once(proposal('Sings'), context())
  const known = { ...context('Lives in Oslo'), origins: { memory: new Map(), user: new Map([['Lives in Oslo', 'external' as const]]) } }
  await once(proposal('Plays'), known)
  expect(gate).toHaveBeenCalledTimes(4)
})

it('asks again after a failure', async () => {
  const gate = vi
    .fn<ReviewGate>()
    .mockResolvedValueOnce(err(new HermesError('gate', 'down')))
    .mockResolvedValue(approve())
  const once = askedOnce(gate)
  expect(await once(proposal('Plays'), context())).toMatchObject({ ok: false })
  expect(await once(proposal('Plays'), context())).toEqual(approve())
})
