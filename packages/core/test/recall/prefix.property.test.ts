/** Whatever the host does with its history, each message of the user is sent with the same bytes in every call that shows it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { assistant, openHome, user } from '../session/open-home.ts'
import { callModel, recordingProvider } from './recording-provider.ts'

type Move =
  | { readonly kind: 'say'; readonly text: string; readonly recalls: boolean; readonly answer: string }
  | { readonly kind: 'regenerate' | 'retry' | 'restart' | 'other-process' }
  | { readonly kind: 'edit'; readonly back: number }

const words = fc.constantFrom('ok', 'go on', 'why?')
const sayMove = fc
  .record({ text: words, recalls: fc.boolean(), answer: fc.constantFrom('Done.', 'Sure.') })
  .map((said) => ({ kind: 'say', ...said }) as const)

const kinds = (...names: readonly Exclude<Move['kind'], 'say' | 'edit'>[]) => fc.constantFrom(...names).map((kind) => ({ kind }) as const)

interface Host {
  /** The prompt that it sends of its history. */
  readonly shown: (history: readonly TurnMessage[]) => readonly TurnMessage[]
  /** Answers are all different, so that a message can be told from another by what came before it. */
  readonly differs: boolean
}

const play = async (moves: readonly Move[], { shown, differs }: Host) => {
  const storage = inMemoryBackend()
  let facts: readonly string[] = []
  let turn = 0
  const open = () => openHome(storage, { memory: { provider: recordingProvider({ prefetch: async () => facts }) } }).hermes
  let homes = [open(), open()] as const
  let history: TurnMessage[] = []
  const sent = new Map<TurnMessage, string>()

  const call = async (answer: TurnMessage) => {
    const prompt = shown(history)
    const { messages } = await callModel(homes[0].session('one'), [...prompt], [answer])
    for (const [index, message] of prompt.entries()) {
      const before = sent.get(message)
      const text = messages[index] ?? ''
      if (before === undefined) sent.set(message, text)
      else expect([index, text]).toEqual([index, before])
    }
    await homes[0].settled()
  }

  for (const move of moves) {
    if (move.kind === 'say') {
      turn++
      facts = move.recalls ? [`Fact ${turn}`] : []
      history.push(user(move.text))
      const answer = assistant(differs ? `${move.answer} (${turn})` : move.answer)
      await call(answer)
      history.push(answer)
    } else if (move.kind === 'regenerate' || move.kind === 'retry') {
      const answer = history.at(-1)
      // A message that is sent alone once more, after others, counts as a new turn of a host without a history.
      if (answer === undefined || shown(history).length < 3) continue
      history.pop()
      facts = ['Never asked']
      const again = move.kind === 'retry' ? answer : assistant(`Again (${turn}).`)
      await call(again)
      history.push(again)
    } else if (move.kind === 'edit') {
      history = history.slice(0, Math.max(0, history.length - 2 * move.back))
    } else homes = move.kind === 'restart' ? [open(), homes[1]] : [homes[1], homes[0]]
  }
  return { sent: [...sent.values()] }
}

it.each<[string, fc.Arbitrary<Move>, Host]>([
  [
    'the whole history, with edits',
    fc.oneof(
      { weight: 5, arbitrary: sayMove },
      kinds('regenerate', 'retry', 'restart', 'other-process'),
      fc.integer({ min: 1, max: 4 }).map((back) => ({ kind: 'edit', back }) as const),
    ),
    { shown: (history) => history, differs: true },
  ],
  [
    'the whole history, with equal answers',
    fc.oneof({ weight: 5, arbitrary: sayMove }, kinds('retry', 'restart')),
    { shown: (history) => history, differs: false },
  ],
  [
    'a window',
    fc.oneof({ weight: 5, arbitrary: sayMove }, kinds('regenerate', 'retry', 'restart')),
    { shown: (history) => history.slice(-7), differs: true },
  ],
])('a host that shows %s', { timeout: 120_000 }, async (_, move, host) => {
  let fences = 0
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 16 }), async (moves) => {
      const { sent } = await play(moves, host)
      fences += sent.filter((text) => text.includes('<memory-context>')).length
    }),
    { numRuns: rounds(80), seed: 21 },
  )
  expect(fences).toBeGreaterThan(rounds(200))
})
