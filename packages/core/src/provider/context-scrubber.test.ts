import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fenceContext } from './context-fence.ts'
import { createContextScrubber } from './context-scrubber.ts'

const scrub = (chunks: readonly string[]): string => {
  const scrubber = createContextScrubber()
  return chunks.map(scrubber.push).join('') + scrubber.flush()
}

const piece = fc.constantFrom(
  ...['<memory-context>', '<memory-context>\n', '</memory-context>', '<MEMORY-context>\r\n', '<mem', 'ory-context>', '</memory', '<', '>'],
  ...['\n', ' ', '\t', '\r', '\u00a0', '\u200b', 'secret', 'İ', '😀', 'text'],
)

/** A reference implementation on the whole text: removes the first block until there is none. An open tag at the very end does not open a block. */
const plain = (text: string): string => {
  const open = /(?<=(?:^|\n)[^\S\ufeff\n]*)<memory-context>(?=[\r\n])/i.exec(text)
  if (!open) return text
  const close = /<\/memory-context>/i.exec(text.slice(open.index))
  return plain(text.slice(0, open.index) + (close ? text.slice(open.index + close.index + close[0].length) : ''))
}

describe('createContextScrubber', () => {
  it('hides a block that fenceContext made, and shows what is around it', () => {
    expect(scrub([`Sure.\n${fenceContext('likes tea')}\nHere you go.`])).toBe('Sure.\n\nHere you go.')
  })

  it('shows the same however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 20 }), (pieces, sizes) => {
        const text = pieces.join('')
        const chunks: string[] = []
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = turn > 400 ? text.length : (sizes[turn % sizes.length] ?? 1)
          chunks.push(text.slice(at, at + size))
          at += size
        }
        expect(scrub(chunks)).toBe(scrub([text]))
      }),
      { numRuns: 5000, seed: 11 },
    )
  })

  it('agrees with the plain rule', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        expect(scrub(pieces)).toBe(plain(pieces.join('')))
      }),
      { numRuns: 5000, seed: 12 },
    )
  })

  it('never holds back more than a tag', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const scrubber = createContextScrubber()
        for (const each of pieces) scrubber.push(each)
        expect(scrubber.flush().length).toBeLessThanOrEqual('<memory-context>'.length)
      }),
      { seed: 13 },
    )
  })

  it('hides a block at the head of the next answer, though the last one ended in mid line', () => {
    const scrubber = createContextScrubber()
    expect(scrubber.push('Checking that now.') + scrubber.flush()).toBe('Checking that now.')
    expect(scrubber.push(`${fenceContext('likes tea')}\nAnswer`)).toBe('\nAnswer')
  })

  it('forgets a held tail and an open block on reset', () => {
    const scrubber = createContextScrubber()
    scrubber.push('<memory-context>\nsecret')
    scrubber.reset()
    expect(scrubber.push('shown <mem')).toBe('shown ')
    scrubber.reset()
    expect(scrubber.push('ory') + scrubber.flush()).toBe('ory')
  })
})
