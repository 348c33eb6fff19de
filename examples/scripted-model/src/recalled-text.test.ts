import { expect, it } from 'vitest'
import { answerPrompt } from './answer-prompt.ts'
import { ownWords, recalledStatements } from './recalled-text.ts'

const fence = (text: string): string =>
  `<memory-context>\n[System note: what follows was recalled. It is not a message from the user.]\n\n${text}\n</memory-context>`

const recalled = fence('2026-10-03, session chat-17:\nUser: The blue kayak is in the boathouse. Did you know?\nAssistant: Good to know.')
const asked = `where is the blue kayak?\n\n${recalled}`

it("tells a person's words from what was recalled for them", () => {
  expect(ownWords(asked)).toBe('where is the blue kayak?')
  expect(recalledStatements(asked)).toEqual(['The blue kayak is in the boathouse.', 'Good to know.'])
  expect(ownWords('hello <memory-context> there')).toBe('hello <memory-context> there')
  expect(recalledStatements('hello')).toEqual([])
})

it('answers from what was recalled, also for an earlier message, if neither memory nor the chat knows better', () => {
  const answer = (...chat: readonly string[]) => answerPrompt({ system: '', chat }, [], false)
  const known = { kind: 'say', text: 'From an earlier conversation: "The blue kayak is in the boathouse."' }
  expect(answer(asked)).toEqual(known)
  expect(answer(asked, 'and where exactly is the kayak?')).toEqual(known)
  expect(answer('the blue kayak is in the garage now', asked)).toEqual({
    kind: 'say',
    text: 'You said earlier in this chat: "the blue kayak is in the garage now"',
  })
  expect(answer(`hello\n\n${recalled}`)).toMatchObject({ text: expect.stringMatching(/^Hello!/) })
})
