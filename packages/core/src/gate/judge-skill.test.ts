import { describe, expect, it } from 'vitest'
import type { SkillProposal } from '../proposal/review-proposal.ts'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import { withinLimit } from '../text/work-limit.ts'
import { judgeSkill } from './judge-skill.ts'
import { ownSentences } from './own-sentences.ts'

const proposing = (body: string): SkillProposal => ({
  target: 'skill',
  op: { action: 'create', name: 'door', content: `---\nname: door\ndescription: The door.\n---\n\n${body}\n` },
  rationale: '',
  score: 1,
})

const judge = (body: string, said: string, outside: boolean) => {
  const page = outside ? [{ role: 'tool', text: 'a page', toolNames: ['fetch'] } as const] : []
  const transcript = stampTranscript([{ role: 'user', text: said }, ...page, { role: 'assistant', text: 'ok' }], new Set())
  const context = { transcript, entries: { memory: [], user: [] }, unattended: true }
  // In a real run, the gate has already read the conversation in steps.
  for (const message of transcript) ownSentences(message)
  return withinLimit(transcript, () => judgeSkill(proposing(body), context).row)?.value
}

describe('the work that a skill may cost', () => {
  const steps = (count: number) => Array.from({ length: count }, (_, index) => `- Lock the door ${index} and close the valve.`).join('\n')

  it('is enough for a hundred steps of the user after text from outside, and for a long note of the agent without any', () => {
    expect(judge(steps(100), `The door.\n${steps(100)}`, true)).toBe('user-said')
    expect(judge(steps(1_000), 'What about the door?', false)).toBe('agent-note')
  })

  it("of thousands of sentences without text from outside is the agent's note, although they are not traced", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `- Lock ${index}. Shut ${index}. Open ${index}.`).join('\n')
    expect(judge(many, 'What about the door?', false)).toBe('agent-note')
  })

  it.each(['a\n', '# a\n', 'a. ', 'a; ', '部署', 'not ', 'lock the door, ', 'http://a.b '])(
    'is not spent on 60,000 characters of %j',
    (piece) => {
      const text = piece.repeat(60_000 / piece.length)
      expect(judge(text, text, true)).not.toBe('user-said')
    },
  )
})
