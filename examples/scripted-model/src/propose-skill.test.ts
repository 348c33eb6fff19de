import { describe, expect, it } from 'vitest'
import { SPLIT_BILLS_SKILL } from '../test/split-bills-skill.ts'
import { playReviewer } from './play-reviewer.ts'

const CONVERSATION = `[m1 | user | origin: user] split 84.60 among 4 with a 10% tip
[m2 | tool | origin: assistant] {"expression":"84.6 * (1 + 10 / 100)","result":93.06}
[m3 | tool | origin: assistant] {"expression":"round(93.06 / 4, 0.01)","result":23.27}
[m4 | assistant | origin: assistant] Each of the 4 pays 23.27.
[m5 | user | origin: user] always round each share up to the next 10 cents and show the total
[m6 | tool | origin: assistant] {"expression":"ceil(93.06 / 4, 0.1)","result":23.3}
[m7 | tool | origin: assistant] {"expression":"23.3 * 4","result":93.2}
[m8 | user | origin: user] my name is Ada, split 120 among 7`

const REMEMBERED = 'Already remembered:\n<remembered>\n"memory": 0 of 2200 characters used.\n(empty)\n</remembered>\n\n'
const library = (lines: string, full = ''): string =>
  `The skills there are.\n<skill-library>\n${lines}\n</skill-library>${full === '' ? '' : `\nIn full:\n${full}`}\n\n`

const propose = (state: string, conversation = CONVERSATION) => {
  const answer: { proposals: readonly { target: string; op: Record<string, string | null>; evidence: unknown }[] } = JSON.parse(
    playReviewer([
      `Today is 2026-11-21 (UTC).\n\n${state}The conversation.\n<conversation>\n${conversation}\n</conversation>\n\nWhat now?`,
    ]),
  )
  return answer.proposals
}

const LISTED = '- yours | split-bills | Split a bill into shares the way the user wants it'
const FULL = `split-bills (loaded in this conversation; no support files):\n<skill-file>\n${SPLIT_BILLS_SKILL}\n</skill-file>`

describe('the stand-in as the reviewer of skills', () => {
  it('makes a skill of what the person corrected and of the sums that worked, with the person’s words as evidence', () => {
    expect(propose(library('(empty)'))).toEqual([
      {
        target: 'skill',
        op: {
          action: 'create',
          name: 'split-bills',
          category: null,
          filePath: null,
          content: SPLIT_BILLS_SKILL,
          oldText: null,
          newText: null,
        },
        rationale: expect.any(String),
        score: 0.9,
        evidence: [{ messageId: 'm5', quote: 'always round each share up to the next 10 cents and show the total' }],
      },
    ])
  })

  it('proposes what is asked about: skills, memory, or both', () => {
    const targets = (state: string) => propose(state).map(({ target }) => target)
    expect(targets(library('(empty)'))).toEqual(['skill'])
    expect(targets(REMEMBERED)).toEqual(['user'])
    expect(targets(REMEMBERED + library('(empty)'))).toEqual(['user', 'skill'])
  })

  it('proposes nothing if nothing was corrected, or the task came up once', () => {
    expect(propose(library('(empty)'), CONVERSATION.replace('always round', 'do round'))).toEqual([])
    expect(propose(library('(empty)'), CONVERSATION.replace('split 120 among 7', 'hello'))).toEqual([])
  })

  it('takes no sums and no rules from tools that are not trusted', () => {
    const foreign = CONVERSATION.replaceAll('tool | origin: assistant', 'tool | origin: tool')
    expect(propose(library('(empty)'), foreign)[0]?.op['content']).not.toContain('## Steps')
    expect(propose(library('(empty)'), CONVERSATION.replace('m5 | user | origin: user', 'm5 | user | origin: tool'))).toEqual([])
  })

  it('adds a new rule to the skill that is there, and the share as it is worked out now', () => {
    const later = `${CONVERSATION}
[m9 | user | origin: user] never forget to name the tip. always round down to 50 cents
[m10 | tool | origin: assistant] {"expression":"floor(120 / 7, 0.5)","result":17}`
    const [proposal, ...more] = propose(library(LISTED, FULL), later)
    expect(more).toEqual([])
    const { oldText, newText, ...op } = proposal?.op ?? {}
    expect(op).toEqual({ action: 'patch', name: 'split-bills', category: null, filePath: null, content: null })
    expect(SPLIT_BILLS_SKILL.split(oldText ?? '-')).toHaveLength(2)
    expect(SPLIT_BILLS_SKILL.replace(oldText ?? '', newText ?? '')).toBe(
      SPLIT_BILLS_SKILL.replace('the total\n', 'the total\n- Never forget to name the tip\n- Always round down to 50 cents\n').replace(
        'ceil(bill / people, 0.1)',
        'floor(bill / people, 0.5)',
      ),
    )
  })

  it('leaves a skill alone that says it already, or that is not the agent’s', () => {
    expect(propose(library(LISTED, FULL))).toEqual([])
    expect(propose(library('- written by a person | money/bills | How to split a bill into shares'))).toEqual([])
  })
})
