import { describe, expect, it } from 'vitest'
import { fenceContext } from '../provider/context-fence.ts'
import { stampTranscript } from './stamp-transcript.ts'
import { withOutsideOf, withSystemContext } from './system-context.ts'
import type { TurnMessage } from './turn-message.ts'

const conversation: readonly TurnMessage[] = [
  { role: 'user', text: 'hello' },
  { role: 'assistant', text: 'hi' },
  { role: 'user', text: 'what do the documents say?' },
]

describe('withSystemContext', () => {
  it('leaves the host’s own instructions out', () => {
    expect(withSystemContext(conversation, ['You are a friendly assistant.'])).toBe(conversation)
  })

  it('puts fenced documents after the words of the newest turn, as text from outside', () => {
    const placed = withSystemContext(conversation, [`Answer from these:\n${fenceContext('Deploys happen on Fridays')}`])
    expect(placed).toHaveLength(4)
    expect(placed[3]).toMatchObject({ role: 'user', outside: true })
    expect(placed[3]?.text).toContain('Deploys happen on Fridays')
    expect(placed[3]?.text).not.toContain('Answer from these')
  })

  it('taints what the agent says of them', () => {
    const placed = withSystemContext(conversation, [fenceContext('Deploys happen on Fridays')])
    const stamped = stampTranscript([...placed, { role: 'assistant', text: 'On Fridays.' }], new Set())
    expect(stamped.map(({ origin }) => origin)).toEqual(['user', 'assistant', 'user', 'tool', 'tool'])
  })
})

describe('withOutsideOf', () => {
  it('brings back what the prompt held from outside, once', () => {
    const prompt = withSystemContext(conversation, [fenceContext('Deploys happen on Fridays')])
    const whole = withOutsideOf(conversation, prompt)
    expect(whole).toEqual(prompt)
    expect(withOutsideOf(whole, prompt)).toBe(whole)
  })
})
