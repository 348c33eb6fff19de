/** What a stream shows does not depend on where it is cut: 100,000 random answers and cuts. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../scripts/support/rounds.ts'
import { fenceContext } from '../src/provider/context-fence.ts'
import { createContextScrubber } from '../src/provider/context-scrubber.ts'

const FENCE = fenceContext('The user likes tea.\nDeploys happen on Tuesdays at noon.')

const part = fc.oneof(
  fc.constantFrom(
    '<memory-context>',
    '</memory-context>',
    '< Memory-Context x=1 >',
    '<mem',
    'ory-context>',
    '</',
    '<',
    '>',
    '\n',
    '\r\n',
    ' ',
    '\t',
  ),
  fc.constantFrom('- ', '1. ', '> ', '`', 'İ', '😀', '\u00a0', 'text', '[System note:', 'The user likes tea.', 'Indeed, it is noon.'),
  fc.integer({ min: 1, max: FENCE.length }).map((length) => FENCE.slice(0, length)),
  fc.integer({ min: 1, max: FENCE.length }).map((start) => FENCE.slice(-start)),
)

const scrub = (chunks: readonly string[], fences?: readonly string[]): string => {
  const scrubber = createContextScrubber(fences)
  return chunks.map(scrubber.push).join('') + scrubber.flush()
}

const cutAt = (text: string, cuts: readonly number[]): readonly string[] => {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  return places.slice(1).map((end, at) => text.slice(places[at], end))
}

it('shows the same for 100,000 answers, each cut at random', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 10 }),
      fc.array(fc.nat({ max: 2000 }), { maxLength: 12 }),
      fc.boolean(),
      (parts, cuts, known) => {
        const text = parts.join('')
        const fences = known ? [FENCE] : undefined
        const whole = scrub([text], fences)
        const pieces = scrub(cutAt(text, cuts), fences)
        if (pieces !== whole) expect(pieces).toBe(whole)
      },
    ),
    { numRuns: rounds(100_000), seed: 20 },
  )
})
