/** Ten turns of a user who says what matters at the beginning, and a model that records its review requests. */
import { createHermes, type Hermes, inMemoryBackend } from '@hermes/core'
import { type ModelAnswer, type ModelCall, textAnswer } from '@hermes/testing'
import { expect } from 'vitest'
import { ScriptedChatModel } from './scripted-chat-model.ts'

const SAID = [
  'Hello, my name is Ada.',
  'The shop ships on Mondays.',
  'I live in Lisbon.',
  ...Array.from({ length: 7 }, (_, turn) => `Question ${turn + 4}?`),
]

export interface TenTurns {
  readonly hermes: Hermes
  readonly model: ScriptedChatModel
  /** Sends one turn after the other, each saved before the next begins. */
  converse(send: (text: string) => Promise<unknown>): Promise<void>
  /** Expects one review that read the whole conversation. */
  expectAllRead(): void
}

export const tenTurns = (): TenTurns => {
  const reviews: ModelCall[] = []
  const answer = async (call: ModelCall): Promise<ModelAnswer> => {
    if (call.purpose === 'review') reviews.push(call)
    return textAnswer(call.purpose === 'review' ? '{"proposals":[]}' : 'I see.')
  }
  const hermes = createHermes({ storage: inMemoryBackend() })
  return {
    hermes,
    model: new ScriptedChatModel({ answer }),
    async converse(send) {
      for (const text of SAID) {
        await send(text)
        await hermes.settled()
      }
    },
    expectAllRead() {
      // There are two passes if a summary, which is no speaker's own words, was in the prompt.
      expect([1, 2]).toContain(reviews.length)
      const read = reviews[0]?.messages.map(({ text }) => text).join('\n') ?? ''
      expect(SAID.filter((text) => !read.includes(text))).toEqual([])
    },
  }
}
