import { expect, it } from 'vitest'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import { systemClock } from '../shared/clock.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err } from '../shared/result.ts'
import { SkillStore } from '../skills/skill-store.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { evaluateSkill } from './evaluate-skill.ts'

it('a skill whose files cannot be read, so that its checks are not seen, is not evaluated: a change from outside waits', async () => {
  const storage = inMemoryBackend()
  const read = async () => err(new HermesError('io', 'The disk is gone.'))
  const op = { action: 'patch', name: 'deploy', oldText: 'a', newText: 'b' } as const
  const proposal: SkillProposal = { target: 'skill', op, score: 1, rationale: '' }
  const change = { skill: { name: 'deploy', path: 'deploy' }, isNew: false, files: new Map([['SKILL.md', 'b']]) }
  const settings = { evaluator: () => undefined, timeoutMs: 1_000, maxTokens: 1_000, withoutVerdict: undefined }
  const means = { model: undefined, clock: systemClock, origin: 'tool' } as const
  const evaluation = await evaluateSkill(proposal, change, new SkillStore({ storage: { ...storage, read } }), settings, means)
  expect(evaluation).toMatchObject({ verdict: 'hold', reason: expect.stringContaining('Whether the skill works is not known') })
})
