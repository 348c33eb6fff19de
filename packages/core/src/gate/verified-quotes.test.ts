import { describe, expect, it } from 'vitest'
import type { Transcript } from '../proposal/transcript.ts'
import { verifiedQuotes } from './judge-memory.ts'

const transcript: Transcript = [
  { id: 'm1', role: 'tool', origin: 'tool', text: 'Tea is “good”' },
  { id: 'm2', role: 'user', origin: 'user', text: 'I say: tea is "good"' },
  { id: 'm3', role: 'assistant', origin: 'assistant', text: 'Noted' },
]

const idsOf = (...evidence: { messageId?: string; quote: string }[]) =>
  verifiedQuotes(evidence, transcript).map(({ message }) => message.id)

describe('verifiedQuotes', () => {
  it('keeps a quote that is in the message it names', () => {
    expect(idsOf({ messageId: 'm1', quote: 'tea  IS "good"' })).toEqual(['m1'])
  })

  it('drops a quote that is only in another message, nowhere, or in a message that does not exist', () => {
    expect(
      idsOf({ messageId: 'm3', quote: 'tea is' }, { messageId: 'm2', quote: 'tea is bad' }, { messageId: 'm9', quote: 'tea is' }),
    ).toEqual([])
  })

  it('looks for a quote without a message in all of them, and takes the most trusted speaker', () => {
    expect(idsOf({ quote: 'tea is' })).toEqual(['m2'])
    expect(idsOf({ quote: 'coffee' }, { quote: ' \n' })).toEqual([])
  })
})
