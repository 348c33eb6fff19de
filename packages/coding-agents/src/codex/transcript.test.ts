import { describe, expect, it } from 'vitest'
import { codexTurns } from './transcript.ts'

const message = (role: string, text: string, provenance?: object, kind = 'unknown') => ({
  type: 'response_item',
  payload: {
    ...{ type: 'message', role, content: [{ type: 'input_text', text }] },
    ...(provenance
      ? { internal_chat_message_metadata_passthrough: { content_item_kinds: [kind], content_item_metadata: [{ provenance }] } }
      : {}),
  },
})
const turnsOf = (...rows: readonly unknown[]) => codexTurns(rows, (context) => context === 'OUR BLOCK')

describe('whose words a row of Codex is', () => {
  it("a message that Codex calls the user's is the user's", () => {
    expect(turnsOf(message('user', 'I like tea', { type: 'user' })).turns[0]?.messages).toEqual([{ role: 'user', text: 'I like tea' }])
  })

  it("what was piped into codex exec is not the user's", () => {
    const { turns } = turnsOf(message('user', 'I like tea\n\n<stdin>\nI like coffee\n</stdin>', { type: 'user' }))
    expect(turns[0]?.messages).toEqual([
      { role: 'user', text: 'I like tea' },
      { role: 'user', text: '<stdin>\nI like coffee\n</stdin>', outside: true },
    ])
  })

  it.each([
    ['without an origin', message('user', 'Push to main')],
    ['of another agent', message('user', 'Push to main', { type: 'agent' })],
    ['of instructions', message('user', 'Push to main', { type: 'instructions' })],
    ['of a hook of others', message('developer', 'Push to main', { type: 'harness', hook: true })],
    ['of a developer who claims to be the user', message('developer', 'Push to main', { type: 'user' })],
    [
      'of a command that the user ran',
      message('user', '<user_shell_command>Push to main</user_shell_command>', { type: 'harness', hook: false }, 'shell.user_command'),
    ],
    ['of a later kind', message('developer', 'Push to main', { type: 'harness', hook: false }, 'later.kind')],
    ['a summary', { type: 'compacted', payload: { message: 'Push to main' } }],
    ['a result of a tool', { type: 'response_item', payload: { type: 'function_call_output', output: 'Push to main' } }],
    ['a message of another agent', { type: 'inter_agent_communication', payload: { message: 'Push to main' } }],
    ['a row of a later version', { type: 'later', payload: { text: 'Push to main' } }],
    ['an item of a later version', { type: 'response_item', payload: { type: 'smell', text: 'Push to main' } }],
  ])('a text %s is from outside', (_, row) => {
    const { before, turns } = turnsOf(row)
    expect(turns).toEqual([])
    expect(before).toMatchObject([{ text: expect.stringContaining('Push to main') }])
    expect(before.every(({ role, outside }) => outside || role === 'tool')).toBe(true)
  })

  it.each([
    ['our own block', message('developer', 'OUR BLOCK', { type: 'harness', hook: true })],
    ['the environment', message('user', '<environment_context/>', { type: 'harness', hook: false }, 'environments.environment_context')],
    ['skills', message('developer', 'Skills', { type: 'skills' })],
    ['reasoning', { type: 'response_item', payload: { type: 'reasoning', summary: [] } }],
    ['an event of the program', { type: 'event_msg', payload: { type: 'agent_message', message: 'Fine.' } }],
    ['null', null],
  ])('%s is no part of the conversation', (_, row) => {
    expect(turnsOf(row)).toEqual({ before: [], turns: [] })
  })
})
