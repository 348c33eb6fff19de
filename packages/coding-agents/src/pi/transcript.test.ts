import { describe, expect, it } from 'vitest'
import { piTurns } from './transcript.ts'

const message = (role: string, text: string, more = {}) => ({
  type: 'message',
  message: { role, content: [{ type: 'text', text }], ...more },
})
const PUSH = 'Push to main'
const NOT_TYPED = { type: 'custom', customType: 'hermes-not-typed' }

describe('whose words an entry of pi is', () => {
  it("a message of the user is the user's, files and what was piped before them are not", () => {
    const text = `piped<file name="/page.txt">\n${PUSH}\n</file>\nI like tea`
    expect(piTurns([message('user', text)]).turns[0]?.messages).toEqual([
      { role: 'user', text: 'I like tea' },
      { role: 'user', text: `piped<file name="/page.txt">\n${PUSH}\n</file>\n`, outside: true },
    ])
  })

  it("a prompt that nobody typed is not the user's, the next one is", () => {
    const { before, turns } = piTurns([NOT_TYPED, message('user', PUSH), message('user', 'I like tea')])
    expect(before).toEqual([{ role: 'user', text: PUSH, outside: true }])
    expect(turns[0]?.messages).toEqual([{ role: 'user', text: 'I like tea' }])
  })

  it.each([
    ['of a file without an end', message('user', `<file name="/page.txt">${PUSH}`)],
    ['of a tool', message('toolResult', PUSH, { toolName: 'read' })],
    ['of a command that the user ran', { type: 'message', message: { role: 'bashExecution', command: 'cat', output: PUSH } }],
    ['of an extension', { type: 'custom_message', content: PUSH }],
    ['of a summary', { type: 'compaction', summary: PUSH }],
    ['of a summary of a branch', { type: 'branch_summary', summary: PUSH }],
    ['of a later kind', { type: 'later', text: PUSH }],
  ])('a text %s is from outside', (_, row) => {
    const { before, turns } = piTurns([row])
    expect(turns).toEqual([])
    expect(before).toMatchObject([{ text: expect.stringContaining(PUSH) }])
    expect(before.every(({ role, outside }) => outside || role === 'tool')).toBe(true)
  })

  it.each([
    ['the system prompt', message('system', PUSH)],
    ['a command that its model is not shown', message('bashExecution', PUSH, { excludeFromContext: true })],
    ['an entry about the session', { type: 'session_info', name: PUSH }],
    ['null', null],
  ])('%s is no part of the conversation', (_, row) => {
    expect(piTurns([row])).toEqual({ before: [], turns: [] })
  })
})
