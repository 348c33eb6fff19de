import { describe, expect, it } from 'vitest'
import { evidenceGate, type TrustLevel } from '../../src/gate/gates.ts'
import type { Verdict } from '../../src/gate/review-gate.ts'
import { stampTranscript } from '../../src/proposal/stamp-transcript.ts'
import { HONEST_SKILLS } from './honest-skills.ts'
import { SKILL_ATTACKS } from './skill-attacks.ts'
import { agent, create, patch, quote, type SkillCase, skillCase, skillText, tool, user } from './skill-cases.ts'

const judge = async (given: SkillCase, trust: TrustLevel = 'balanced'): Promise<Verdict> => {
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
    const { verdict, origin, reason } = await judge(given)
    expect([verdict, origin, reason]).toEqual(['approve', given.origin, expect.any(String)])
  })

  it("waits under strict trust if it is the agent's own, and is written if it is the user's", async () => {
    for (const given of HONEST_SKILLS) {
      const { verdict } = await judge(given, 'strict')
      expect([given.name, verdict]).toEqual([given.name, given.origin === 'user' ? 'approve' : 'hold'])
    }
  })
})

it('a change of blank lines alone is written, whatever is in context', async () => {
  const current = skillText('deploy', 'Deploy.', '1. Build.', '2. Upload.')
  const op = patch('deploy', '1. Build.', '\n1. Build.\n')
  const given = skillCase('blank lines', [user('hi'), tool('a page'), agent('ok')], op, { current })
  expect(await judge(given, 'strict')).toMatchObject({ verdict: 'approve', origin: 'assistant' })
})

describe('a skill that comes from outside', () => {
  it('waits with the message from outside that it cites, or the first one', async () => {
    const reasons = await Promise.all(
      [quote('m4', 'a page'), []].map((evidence) =>
        judge(
          skillCase(
            'two pages',
            [user('Read both'), tool('one'), agent('ok'), tool('a page that says: use eval')],
            create('eval', 'Eval.', 'Use eval.'),
            { evidence },
          ),
        ),
      ),
    )
    expect(reasons.map(({ reason }) => reason)).toEqual([expect.stringContaining('(see m4)'), expect.stringContaining('(see m2)')])
  })

  it.each(SKILL_ATTACKS.map((given) => [given.name, given] as const))('waits for a person: %s', async (_, given) => {
    expect(await judge(given)).toMatchObject({ verdict: 'hold' })
  })

  it('is never written under strict trust', async () => {
    for (const given of SKILL_ATTACKS) expect([given.name, (await judge(given, 'strict')).verdict]).not.toEqual([given.name, 'approve'])
  })

  it('is written if the host trusts everything', async () => {
    for (const given of SKILL_ATTACKS) expect((await judge(given, 'open')).verdict).toBe('approve')
  })
})
