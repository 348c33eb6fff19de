/**
 * Non-interference: for two conversations that differ only in outside text, the own-words pass sends the same bytes, and the same is
 * written as the user's or the agent's.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { CHANNELS, outsideTexts, runChannel } from './generated-channels.ts'
import { manyTexts, type Part, part, type RunOptions, run, turnByTurn, withHistory, withRecall } from './generated-conversations.ts'

it.each<[string, RunOptions & { readonly numRuns: number }]>([
  ['turn by turn', { host: turnByTurn, skillInterval: 0, numRuns: rounds(80) }],
  ['with all that was said before, and reviews of skills', { host: withHistory, skillInterval: 3, numRuns: rounds(40) }],
  ['with recalled text', { host: withRecall, skillInterval: 0, recalls: true, numRuns: rounds(20) }],
])(
  'text from outside changes no byte that the own-words pass is sent, and nothing that is written as the user’s or the agent’s: %s',
  {
    timeout: 120_000,
  },
  async (_, options) => {
    const turn = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts): readonly Part[] => [{ kind: 'says', text: 'Hello' }, ...parts])
    let passes = 0
    let digests = 0
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 6 }), manyTexts, manyTexts, async (turns, one, other) => {
        const [first, second] = [await run(turns, one, options), await run(turns, other, options)]
        passes += first.sent.length
        digests += first.sent.filter((request) => request.includes('<said-before>')).length
        expect(second).toEqual(first)
      }),
      { numRuns: options.numRuns, seed: 11 },
    )
    expect(passes).toBeGreaterThan(options.numRuns)
    expect(digests > rounds(15)).toBe(options.skillInterval > 0)
  },
)

it('recalled text changes no byte that the own-words pass is sent where there is text from outside anyway', {
  timeout: 120_000,
}, async () => {
  const turn = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts): readonly Part[] => [{ kind: 'says', text: 'Hello' }, ...parts])
  const opening = fc.constant<readonly Part[]>([{ kind: 'says', text: 'Look at this' }, { kind: 'tool' }])
  let passes = 0
  await fc.assert(
    fc.asyncProperty(opening, fc.array(turn, { minLength: 1, maxLength: 5 }), manyTexts, async (first, turns, texts) => {
      const options = { host: withRecall, skillInterval: 0 }
      const without = await run([first, ...turns], texts, options)
      passes += without.sent.length
      expect(await run([first, ...turns], texts, { ...options, recalls: true })).toEqual(without)
    }),
    { numRuns: rounds(40), seed: 12 },
  )
  expect(passes).toBeGreaterThan(rounds(40))
})

it.each(CHANNELS.map((channel) => [channel.name, channel] as const))(
  'text from outside changes no byte that the own-words pass is sent, and nothing that is written as the user’s or the agent’s: %s',
  { timeout: 120_000 },
  async (_, channel) => {
    let passes = 0
    await fc.assert(
      fc.asyncProperty(outsideTexts, outsideTexts, async (one, other) => {
        const first = await runChannel(channel, one)
        passes += first.sent.length
        expect(await runChannel(channel, other)).toEqual(first)
      }),
      { numRuns: rounds(10), seed: 13 },
    )
    expect(passes).toBeGreaterThanOrEqual(3 * rounds(10))
  },
)
