/** Replays the golden scrubber vectors (made by running Python Hermes) on the stream scrubber and the whole-text sanitiser. */
import { describe, expect, it } from 'vitest'
import { sanitizeContext } from '../src/provider/context-fence.ts'
import { createContextScrubber } from '../src/provider/context-scrubber.ts'
import { loadVectors } from './support/load-vectors.ts'

type Step = string | { readonly flush: true } | { readonly reset: true }

interface StreamCase {
  readonly name: string
  readonly group: string
  readonly chunks: readonly Step[]
  readonly emitted: readonly string[]
  readonly flushed: string
  readonly visible: string
  readonly quirk?: string
}

interface ScrubberVectors {
  readonly cases: readonly StreamCase[]
  readonly sanitizeWholeText: ReadonlyArray<{ readonly in: string; readonly out: string }>
}

const play = (chunks: readonly Step[]): { readonly emitted: readonly string[]; readonly flushed: string; readonly visible: string } => {
  const scrubber = createContextScrubber()
  const emitted = chunks.map((step) => {
    if (typeof step === 'string') return scrubber.push(step)
    if ('flush' in step) return scrubber.flush()
    scrubber.reset()
    return ''
  })
  const flushed = scrubber.flush()
  return { emitted, flushed, visible: [...emitted, flushed].join('') }
}

/** The chunks between two flushes, each of which is a separate answer here. */
const answers = (chunks: readonly Step[]): ReadonlyArray<readonly Step[]> => {
  const parts: Step[][] = [[]]
  for (const step of chunks) {
    if (typeof step !== 'string' && 'flush' in step) parts.push([])
    else parts[parts.length - 1]?.push(step)
  }
  return parts
}

/** Intended differences from Python Hermes, by the `quirk` of a case; `instead` is our visible text. */
const DEVIATIONS: ReadonlyArray<{ readonly quirk: string; readonly reason: string; readonly instead: (each: StreamCase) => string }> = [
  {
    quirk: 'boundary-not-rearmed-on-flush',
    reason: 'a flush ends an answer, so the next one starts on a fresh line; the reference shows recalled text at its head',
    instead: ({ chunks }) =>
      answers(chunks)
        .map((part) => play(part).visible)
        .join(''),
  },
]

const vectors = loadVectors<ScrubberVectors>('scrubber')

describe.skipIf(!vectors)('scrubber vectors', () => {
  if (!vectors) it.skip('the folder of vectors has no scrubber.json')
  for (const each of vectors?.cases ?? []) {
    const deviation = DEVIATIONS.find(({ quirk }) => quirk === each.quirk)
    const note = deviation ? ` — differs on purpose (${deviation.quirk}: ${deviation.reason})` : ''
    it(`${each.group}: ${each.name}${note}`, () => {
      const { emitted, flushed, visible } = play(each.chunks)
      if (deviation) {
        expect(visible).toBe(deviation.instead(each))
        expect(visible).not.toBe(each.visible)
        expect(visible).not.toMatch(/^\s*<memory-context>[\r\n]/im)
      } else {
        expect(visible).toBe(each.visible)
        expect(emitted).toEqual(each.emitted)
        expect(flushed).toBe(each.flushed)
      }
    })
  }
})

describe.skipIf(!vectors)('whole-text vectors', () => {
  if (!vectors) it.skip('the folder of vectors has no scrubber.json')
  for (const [at, each] of (vectors?.sanitizeWholeText ?? []).entries()) {
    it(`${at + 1}: ${JSON.stringify(each.in)}`, () => {
      expect(sanitizeContext(each.in)).toBe(each.out)
    })
  }
})
