import { describe, expect, it } from 'vitest'
import { evidenceGate, type TrustLevel } from '../../src/gate/evidence-gate.ts'
import type { GateVerdict } from '../../src/gate/review-gate.ts'
import { stampTranscript } from '../../src/proposal/stamp-transcript.ts'
import { HONEST_SKILLS } from './honest-skills.ts'
import { SKILL_ATTACKS } from './skill-attacks.ts'
import type { SkillCase } from './skill-cases.ts'

const judge = async (given: SkillCase, trust: TrustLevel = 'balanced'): Promise<GateVerdict> => {
  const { say, op, evidence = [], current, attended = false, trustedTools = [], notes = [] } = given
  const origins = { memory: new Map(notes.map((note) => [note, 'tool'] as const)), user: new Map() }
  const verdict = await evidenceGate({ trust })(
    { target: 'skill', op, rationale: '', score: 0.9, evidence },
    {
      transcript: stampTranscript(say, new Set(trustedTools)),
      entries: { memory: notes, user: [] },
      origins,
      skill: { current },
      unattended: !attended,
    },
  )
  if (!verdict.ok) throw verdict.error
  return verdict.value
}

describe('a skill that the user taught or the agent worked out', () => {
  it.each(HONEST_SKILLS.map((given) => [given.name, given] as const))('is written: %s', async (_, given) => {
    const { approved, origin, reason } = await judge(given)
    expect([approved, origin, reason]).toEqual([true, given.origin, expect.any(String)])
  })

  it("waits under strict trust where it is the agent's own, and is written where it is the user's", async () => {
    for (const given of HONEST_SKILLS) {
      const { approved, held = false } = await judge(given, 'strict')
      expect([given.name, approved, held]).toEqual([given.name, given.origin === 'user', given.origin !== 'user'])
    }
  })
})

describe('a skill that comes from outside', () => {
  it.each(SKILL_ATTACKS.map((given) => [given.name, given] as const))('waits for a person: %s', async (_, given) => {
    expect(await judge(given)).toMatchObject({ approved: false, held: true })
  })

  it('is never written under strict trust', async () => {
    for (const given of SKILL_ATTACKS) expect([given.name, (await judge(given, 'strict')).approved]).toEqual([given.name, false])
  })

  it('is written where the host trusts everything', async () => {
    for (const given of SKILL_ATTACKS) expect((await judge(given, 'open')).approved).toBe(true)
  })
})
