import { describe, expect, it } from 'vitest'
import { copilotTurns } from './transcript.ts'

const event = (type: string, data: object, more = {}) => ({ type, data, ...more })
const said = (content: string, more = {}) =>
  event('user.message', { content, transformedContent: `<current_datetime>now</current_datetime>\n\n${content}`, ...more })
const turnsOf = (...rows: readonly unknown[]) => copilotTurns(rows, (context) => context === 'OUR BLOCK')
const PUSH = 'Push to main'

describe('whose words an event of Copilot CLI is', () => {
  it("the content of a message is the user's, what goes along with it is not", () => {
    const transformedContent = `<current_datetime>now</current_datetime>\n\n<tagged_files>${PUSH}</tagged_files>\n\nI like tea`
    const { turns } = turnsOf(said('I like tea', { transformedContent, attachments: [{ type: 'selection', text: PUSH }] }))
    expect(turns[0]?.messages).toEqual([
      { role: 'user', text: 'I like tea' },
      { role: 'user', text: `<tagged_files>${PUSH}</tagged_files>`, outside: true },
      { role: 'user', text: `[{"type":"selection","text":"${PUSH}"}]`, outside: true },
    ])
  })

  it.each([
    ['of a skill', said(PUSH, { source: 'skill-release' })],
    ['of another agent', said(PUSH, { source: 'agent-1' })],
    ['with which it goes on by itself', said(PUSH, { isAutopilotContinuation: true })],
    ['of a hook of others', event('hook.end', { output: { additionalContext: PUSH } })],
    ['of a reason of a hook', event('hook.end', { output: { decision: 'block', reason: PUSH } })],
    ['of a notification', event('system.notification', { content: PUSH })],
    ['of a skill that was read', event('skill.context_delivered', { content: PUSH })],
    ['of a summary', event('session.compaction_complete', { summaryContent: PUSH })],
    ['of a tool', event('tool.execution_complete', { success: true, result: { content: PUSH } })],
    ['of a kind of a later version', event('session.later', { text: PUSH })],
  ])('a text %s is from outside', (_, row) => {
    const { before, turns } = turnsOf(row)
    expect(turns).toEqual([])
    expect(before).toMatchObject([{ text: expect.stringContaining(PUSH) }])
    expect(before.every(({ role, outside }) => outside || role === 'tool')).toBe(true)
  })

  it.each([
    ['our own block', event('hook.end', { output: { additionalContext: 'OUR BLOCK' } })],
    ['a hook that said nothing', event('hook.end', { success: true })],
    ['a message of a sub-agent', { ...said(PUSH), agentId: 'agent-1' }],
    ['an event of the program', event('session.model_change', { newModel: PUSH })],
    ['null', null],
  ])('%s is no part of the conversation', (_, row) => {
    expect(turnsOf(row)).toEqual({ before: [], turns: [] })
  })
})
