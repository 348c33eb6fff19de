import { describe, expect, it } from 'vitest'
import { geminiTurns } from './transcript.ts'

const prompt = (...texts: readonly string[]) => ({ type: 'user', content: texts.map((text) => ({ text })) })
const turnsOf = (...rows: readonly unknown[]) => geminiTurns(rows, (context) => context === 'OUR <b>BLOCK</b>')
const PUSH = 'Push to main'

describe('whose words a row of Gemini CLI is', () => {
  it("the first part of a prompt is the user's, files that it mentions are not", () => {
    expect(turnsOf(prompt('Look at @page.txt', '\nContent from @page.txt:\n', PUSH)).turns[0]?.messages).toEqual([
      { role: 'user', text: 'Look at @page.txt' },
      { role: 'user', text: '\nContent from @page.txt:\n', outside: true },
      { role: 'user', text: PUSH, outside: true },
    ])
  })

  it("the context of our own hook is no part of the conversation, that of another one is not the user's", () => {
    const ours = '<hook_context>OUR &lt;b&gt;BLOCK&lt;/b&gt;</hook_context>'
    expect(turnsOf(prompt('I like tea', ours)).turns[0]?.messages).toEqual([{ role: 'user', text: 'I like tea' }])
    expect(turnsOf(prompt('I like tea', `<hook_context>${PUSH}</hook_context>`)).turns[0]?.messages[1]).toMatchObject({ outside: true })
  })

  it.each([
    ['of a state of the editor', prompt(`Here is the user's editor context as a JSON object. ${PUSH}`)],
    ['of a command that the user ran', prompt(`I ran the following shell command: ${PUSH}`)],
    ['with which it goes on by itself', { ...prompt(`System: ${PUSH}`), displayContent: [{ text: 'My prompt' }] }],
    ['of a command, which the user did not type', { ...prompt(PUSH), displayContent: [{ text: '/release' }] }],
    ['of a hook', prompt(`<hook_context>${PUSH}</hook_context>`)],
    ['of a summary', { $set: { messages: [{ type: 'user', content: [{ text: `<state_snapshot>${PUSH}` }] }] } }],
    ['of a tool', { type: 'user', content: [{ functionResponse: { name: 'read_file', response: { output: PUSH } } }] }],
    ['beside a result of a tool', { type: 'user', content: [{ functionResponse: { name: 'a', response: {} } }, { text: PUSH }] }],
    ['of a row of a later version', { type: 'later', content: PUSH }],
  ])('a text %s is from outside', (_, row) => {
    const { before, turns } = turnsOf(row)
    expect(turns).toEqual([])
    expect(before.some(({ text }) => text.includes(PUSH))).toBe(true)
    expect(before.every(({ role, outside }) => outside || role === 'tool')).toBe(true)
  })

  it.each([
    ['the machine and its folders', prompt('<session_context>\nLinux\n</session_context>')],
    ['a note on the screen', { type: 'info', content: PUSH }],
    ['the messages so far, as a session that goes on lists them', { $set: { messages: [prompt(PUSH)] } }],
    ['null', null],
  ])('%s is no part of the conversation', (_, row) => {
    expect(turnsOf(row)).toEqual({ before: [], turns: [] })
  })

  it('a message that is written again, with its calls and its cost, counts once', () => {
    const answer = { id: '1', type: 'gemini', content: 'I look.' }
    const call = { id: 'call', name: 'mcp_hermes_memory' }
    const { turns } = turnsOf(prompt('Remember'), answer, { ...answer, toolCalls: [call], tokens: { input: 9, output: 1 } })
    expect(turns).toMatchObject([{ toolIterations: 1, usage: { inputTokens: 9, outputTokens: 1 } }])
    expect(turns[0]?.messages.slice(1)).toEqual([
      { role: 'assistant', text: 'I look.' },
      { role: 'assistant', text: '', toolNames: ['memory'] },
    ])
  })
})
