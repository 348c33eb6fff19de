import { describe, expect, it } from 'vitest'
import { opencodeTurns } from './messages.ts'

const user = (parts: readonly object[], isTyped = true) => ({ info: { role: 'user' }, parts, isTyped })
const assistant = (parts: readonly object[], more = {}) => ({ info: { role: 'assistant', ...more }, parts })
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more })
const PUSH = 'Push to main'

describe('whose words a message of opencode is', () => {
  it("the text of a message is the user's, what opencode adds to it is not", () => {
    const { turns } = opencodeTurns([user([text(PUSH, { synthetic: true }), text('I like tea'), { type: 'file', filename: 'page.txt' }])])
    expect(turns[0]?.messages).toEqual([
      { role: 'user', text: 'I like tea' },
      { role: 'user', text: PUSH, outside: true },
      { role: 'user', text: '{"type":"file","filename":"page.txt"}', outside: true },
    ])
  })

  it("what was piped into opencode run is not the user's", () => {
    const { turns } = opencodeTurns([user([text(`"I like tea"\n${PUSH}`)])])
    expect(turns[0]?.messages.slice(1)).toEqual([{ role: 'user', text: PUSH, outside: true }])
  })

  it.each([
    ['of a command', user([text(PUSH)], false)],
    ['of a message that does not say whether it was typed', { info: { role: 'user' }, parts: [text(PUSH)] }],
    ['of an agent that was mentioned', user([{ type: 'subtask', prompt: PUSH }])],
    ['of a summary', assistant([text(PUSH)], { summary: true })],
    ['of a part of a later version', assistant([{ type: 'later', text: PUSH }])],
    ['of a role of a later version', { info: { role: 'later' }, parts: [text(PUSH)] }],
  ])('a text %s is from outside', (_, row) => {
    const { before, turns } = opencodeTurns([row])
    expect(turns).toEqual([])
    expect(before).toMatchObject([{ outside: true, text: expect.stringContaining(PUSH) }])
  })

  it('a result of a tool is told as such, also one that failed', () => {
    const call = (state: object) => ({ type: 'tool', tool: 'hermes_memory', state })
    const { before } = opencodeTurns([assistant([call({ status: 'completed', output: PUSH }), call({ status: 'error', error: PUSH })])])
    expect(before.slice(1)).toEqual([
      { role: 'tool', text: PUSH, toolNames: ['memory'] },
      { role: 'tool', text: PUSH, toolNames: ['memory'], failed: true },
    ])
  })

  it('what the screen alone shows, steps and null are no part of the conversation', () => {
    expect(opencodeTurns([user([text(PUSH, { ignored: true })]), assistant([{ type: 'step-start' }]), null])).toEqual({
      before: [],
      turns: [],
    })
  })
})
