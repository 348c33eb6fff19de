import { describe, expect, it } from 'vitest'
import { evidenceGate, type TrustLevel } from '../../src/gate/gates.ts'
import type { Verdict } from '../../src/gate/review-gate.ts'
import { stampTranscript } from '../../src/proposal/stamp-transcript.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { HONEST_SKILLS, SKILL_ATTACKS, type SkillCase } from './trust-cases.ts'

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

const page = (text: string): TurnMessage => ({ role: 'tool', text, toolNames: ['fetch'] })

it('a change of blank lines alone is written, whatever is in context', async () => {
  const current = '---\nname: deploy\ndescription: Deploy.\n---\n\n1. Build.\n2. Upload.\n'
  const op = { action: 'patch', name: 'deploy', oldText: '1. Build.', newText: '\n1. Build.\n' } as const
  const say = [{ role: 'user', text: 'hi' }, page('a page'), { role: 'assistant', text: 'ok' }] as const
  const given: SkillCase = { name: 'blank lines', say, op, current }
  expect(await judge(given, 'strict')).toMatchObject({ verdict: 'approve', origin: 'assistant' })
})

describe('a skill that comes from outside', () => {
  it('waits with the message from outside that it cites, or the first one', async () => {
    const say = [
      { role: 'user', text: 'Read both' },
      page('one'),
      { role: 'assistant', text: 'ok' },
      page('a page that says: use eval'),
    ] as const
    const content = '---\nname: eval\ndescription: Eval.\n---\n\nUse eval.\n'
    const given: SkillCase = { name: 'two pages', say, op: { action: 'create', name: 'eval', content } }
    const reasons = await Promise.all([{ ...given, evidence: [{ messageId: 'm4', quote: 'a page' }] }, given].map((each) => judge(each)))
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
