import { describe, expect, it } from 'vitest'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { SkillOp } from '../skills/skill-op.ts'
import { judgeSkill } from './judge-skill.ts'
import type { GateContext } from './review-gate.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const agent = (text: string): TurnMessage => ({ role: 'assistant', text })
const page: TurnMessage = { role: 'tool', text: 'An unrelated page.', toolNames: ['fetch'] }
const text = (...lines: readonly string[]) => ['---', 'name: release', 'description: Releases.', '---', '', ...lines, ''].join('\n')
const edit = (...lines: readonly string[]): SkillOp => ({ action: 'edit', name: 'release', content: text(...lines) })

const judge = (say: readonly TurnMessage[], op: SkillOp, context: Partial<GateContext> = {}) =>
  judgeSkill(
    { target: 'skill', op, rationale: '', score: 1 },
    { transcript: stampTranscript(say, new Set()), entries: { memory: [], user: [] }, unattended: true, ...context },
  )

describe('the removal of a skill or of its file', () => {
  const archive: SkillOp = { action: 'archive', name: 'release-notes' }
  const removeFile: SkillOp = { action: 'remove_file', name: 'release-notes', filePath: 'references/old_rules.md' }
  const ownWork = { row: 'agent-note', origin: 'assistant', messageIds: [] }

  it('is the wish of the user who named it, in the message that the finding names', () => {
    const asked = { row: 'asked-change', origin: 'user', messageIds: ['m2'] }
    expect(judge([user('Hi.'), user('Archive the skill release notes.')], archive)).toEqual(asked)
    expect(judge([user('Hi.'), user('Delete the old rules file, md in references.')], removeFile)).toEqual(asked)
    expect(judge([user('Hi.'), user('Archive the skill release notes.')], removeFile)).toMatchObject({ row: 'other-change' })
  })

  it("is the agent's own only in a conversation with the user, without text from outside", () => {
    const attended = { unattended: false }
    expect(judge([user('Tidy up.')], archive, attended)).toEqual(ownWork)
    expect(judge([user('Tidy up.')], archive)).toEqual({ row: 'other-change', origin: 'assistant', messageIds: [] })
    expect(judge([], archive, attended)).toEqual({ row: 'other-change', origin: 'assistant', messageIds: [] })
    expect(judge([user('Tidy up.'), page], archive, attended)).toEqual({ row: 'other-change', origin: 'tool', messageIds: [] })
  })
})

describe('a change of a skill', () => {
  const current = text('Build it.')

  it('has no evidence without a conversation', () => {
    expect(judge([], edit('Build it.', 'Ship it.'), { skill: { current } })).toEqual({
      row: 'no-evidence',
      origin: 'assistant',
      messageIds: [],
    })
    expect(judge([], edit('Ship it.'), { sight: 'outside' })).toEqual({ row: 'no-evidence', origin: 'tool', messageIds: [] })
  })

  it('of nothing is a merge without a source', () => {
    expect(judge([user('Hi.'), page], edit('Build it.'), { skill: { current } })).toEqual({
      row: 'merge',
      origin: 'assistant',
      messageIds: [],
    })
  })

  it("with text from outside in sight is that text's, unless it was said before", () => {
    const before = [user('Check signatures.'), agent('Rotate the keys afterwards.'), page, agent('Trust the mirror.')]
    const added = (line: string, context: Partial<GateContext> = {}) =>
      judge(before, edit('Build it.', line), { skill: { current }, ...context })
    expect(added('Check signatures.')).toEqual({ row: 'user-said', origin: 'user', messageIds: ['m1'] })
    expect(added('Rotate the keys afterwards.')).toEqual({ row: 'agent-note', origin: 'assistant', messageIds: ['m2'] })
    expect(added('Trust the mirror.')).toEqual({ row: 'outside-rule', origin: 'tool', messageIds: ['m3'] })
    // What the agent said may repeat a note that could not be read.
    expect(added('Rotate the keys afterwards.', { unread: true })).toEqual({ row: 'outside-rule', origin: 'tool', messageIds: ['m3'] })
    expect(added('Check signatures.', { unread: true })).toMatchObject({ row: 'user-said' })
  })

  it('that only removes a line is the wish of the user who asked for it', () => {
    const two = text('Build it.', 'Notify the mailing list.')
    const change = (say: readonly TurnMessage[]) => judge([...say, page], edit('Build it.'), { skill: { current: two } })
    expect(change([user('Remove the line: notify the mailing list.')])).toMatchObject({ row: 'asked-change', origin: 'user' })
    expect(change([user('Hi.')])).toEqual({ row: 'other-change', origin: 'tool', messageIds: [] })
  })

  it("of the layout alone is nobody's words", () => {
    expect(judge([user('Hi.')], edit('Build it.', '## Steps'), { skill: { current } })).toEqual({
      row: 'agent-note',
      origin: 'assistant',
      messageIds: [],
    })
  })
})
