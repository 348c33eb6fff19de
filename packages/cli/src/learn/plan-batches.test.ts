import type { TurnMessage } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import type { LearnSource } from './learn-source.ts'
import { type Batch, planBatches } from './plan-batches.ts'

const sourceOf = (digest: string, turns: readonly (readonly TurnMessage[])[]): LearnSource => ({
  name: digest,
  digest,
  turns: turns.length,
  at: 0,
  read: async function* () {
    for (const messages of turns) yield { messages }
  },
})

const own = (text: string): TurnMessage => ({ role: 'user', text })

const batchesOf = async (sources: readonly LearnSource[], known: Readonly<Record<string, number>> = {}): Promise<readonly Batch[]> => {
  const read = new Map(Object.entries(known).map(([digest, turns]) => [digest, { turns, learnId: 'l', at: 0 }]))
  const batches: Batch[] = []
  for await (const batch of planBatches(sources, 'sessions', read)) batches.push(batch)
  return batches
}

const wordsOf = (batches: readonly Batch[]) =>
  batches.map(({ turns }) => turns.map(({ messages }) => messages.flatMap(({ outside, text }) => (outside ? [] : text)).join()))

describe('the batches of conversations', () => {
  const many = Array.from({ length: 50 }, (_, index) => [own(`Turn ${index}`)])

  it('hold at most 20 turns, in order, and say how far each source is then read', async () => {
    const batches = await batchesOf([sourceOf('a', many.slice(0, 30)), sourceOf('b', many.slice(30))])
    expect(batches.map(({ turns, read }) => [turns.length, Object.fromEntries(read)])).toEqual([
      [20, { a: 20 }],
      [20, { a: 30, b: 10 }],
      [10, { b: 20 }],
    ])
    expect(wordsOf(batches).flat()).toEqual(many.map((_, index) => `Turn ${index}`))
  })

  it('name the conversation in the journal without a secret in its title', async () => {
    const [batch] = await batchesOf([sourceOf('Use ghp_abcdefghijklmnopqrstuvwxyz0123456789 now', many.slice(0, 1))])
    expect(batch?.turns[0]?.sessionId).toMatch(/^learn:(?!.*ghp_).*redacted/)
  })

  it('begin where an earlier act has stopped', async () => {
    const batches = await batchesOf([sourceOf('a', many.slice(0, 30)), sourceOf('b', many.slice(30))], { a: 30, b: 19 })
    expect([wordsOf(batches), batches.map(({ read }) => Object.fromEntries(read))]).toEqual([[['Turn 49']], [{ b: 20 }]])
  })

  it('are the same whatever text from outside is between the words of the user', async () => {
    const page: TurnMessage = { role: 'user', text: 'x'.repeat(30_000), outside: true }
    const long = many.map(([said]) => [own(`${said?.text} ${'word '.repeat(300)}`)])
    const plain = await batchesOf([sourceOf('a', long)])
    const withPages = await batchesOf([
      sourceOf(
        'a',
        long.map((messages, index) => (index % 3 === 0 ? [...messages, page] : messages)),
      ),
    ])
    expect(plain.length).toBeGreaterThan(3)
    expect(wordsOf(withPages)).toEqual(wordsOf(plain))
  })
})
