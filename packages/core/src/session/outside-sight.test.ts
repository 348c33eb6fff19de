import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsOutsideText, stampTranscript } from '../proposal/stamp-transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { OwnWords } from './own-words.ts'
import { ToolTrust } from './tool-trust.ts'

const messages: fc.Arbitrary<TurnMessage> = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'tool'),
    text: fc.constantFrom('Hello', '', '> quoted', 'See:\n```\ncode\n```', '```\n\n```', '"""', 'From: a\nSubject: b\n'),
    outside: fc.boolean(),
    trusted: fc.boolean(),
  },
  { requiredKeys: ['role', 'text'] },
)

describe('text from outside', () => {
  it('is found where the stamps of a transcript find it, whatever was asked before', () => {
    const own = new OwnWords(undefined, new ToolTrust([]))
    fc.assert(
      fc.property(fc.array(messages, { maxLength: 6 }), fc.boolean(), (conversation, ends) => {
        if (ends) own.noteOpener([])
        // Only tool results may have a mark of trust.
        const marked = conversation.map(({ trusted, ...message }) => ({
          ...message,
          ...(trusted === true && message.role === 'tool' ? { trusted } : {}),
        }))
        expect(own.holdOutside(marked)).toBe(holdsOutsideText(stampTranscript(marked, new Set())))
      }),
      { seed: 7 },
    )
  })
})
