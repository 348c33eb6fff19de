import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsOutsideText, stampTranscript } from '../proposal/stamp-transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { OutsideSight } from './turn-buffer.ts'

const messages: fc.Arbitrary<TurnMessage> = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'tool'),
    text: fc.constantFrom('Hello', '', '> quoted', 'See:\n```\ncode\n```', '```\n\n```', '"""', 'From: a\nSubject: b\n'),
    outside: fc.boolean(),
    trusted: fc.boolean(),
  },
  { requiredKeys: ['role', 'text'] },
)

describe('outsideSight', () => {
  it('finds what the stamps of a transcript find, whatever it was asked before', () => {
    const sight = new OutsideSight()
    fc.assert(
      fc.property(fc.array(messages, { maxLength: 6 }), fc.boolean(), (conversation, ends) => {
        if (ends) sight.ofTurn([], [])
        // Only tool results may have a mark of trust.
        const marked = conversation.map(({ trusted, ...message }) => ({
          ...message,
          ...(trusted === true && message.role === 'tool' ? { trusted } : {}),
        }))
        expect(sight.holdsOutside(marked)).toBe(holdsOutsideText(stampTranscript(marked, new Set())))
      }),
      { seed: 7 },
    )
  })
})
