import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { fenceContext } from './context-fence.ts'
import { createContextScrubber } from './context-scrubber.ts'

const scrub = (chunks: readonly string[]): string => {
  const scrubber = createContextScrubber()
  return chunks.map(scrubber.push).join('') + scrubber.flush()
}

const piece = fc.constantFrom(
  ...['<memory-context>', '<memory-context>\n', '</memory-context>', '<MEMORY-context>\r\n', '<mem', 'ory-context>', '</memory', '<', '>'],
  ...[
    '< memory-context >',
    '<memory-context id="1">',
    '</ memory-context\t>',
    '<memory-context>\n[System note:',
    '[System',
    ' note:',
    '- ',
    '1.',
    '> ',
  ],
  ...['\n', ' ', '\t', '\r', '\u00a0', '\u200b', 'secret', 'İ', '😀', 'text', '7', '`', '**'],
)

const SPACE = '[^\\S\\ufeff\\r\\n]'
const TAG = `memory-context(?:${SPACE}[^<>\\r\\n]{0,40})?>`
const OPEN = `<${SPACE}{0,8}${TAG}`
const HEAD = '(?:^|\\n)(?:[^\\S\\ufeff\\n]|[>*+#|•–-]|\\d{1,9}[.)])*'
const BLOCK = new RegExp(`(?<=${HEAD})${OPEN}(?=${SPACE}{0,8}[\\r\\n])|${OPEN}(?=[*_\\x60]{0,3}[^\\S\\ufeff]{0,8}\\[System note:)`, 'gi')
const CLOSE = new RegExp(`<${SPACE}{0,8}/${SPACE}{0,8}${TAG}`, 'i')

/** A reference implementation on the whole text: removes the first block until there is none. An open tag at the very end does not open a block. */
const plain = (text: string, from = 0): string => {
  BLOCK.lastIndex = from
  const open = BLOCK.exec(text)
  if (!open) return text
  const close = CLOSE.exec(text.slice(open.index))
  const rest = close ? text.slice(open.index + close.index + close[0].length) : ''
  return plain(text.slice(0, open.index) + rest, open.index)
}

/** The pieces of a text; the sizes repeat. */
const cut = (text: string, sizes: readonly number[]): readonly string[] => {
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = turn > 400 ? text.length : (sizes[turn % sizes.length] ?? 1)
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

describe('createContextScrubber', () => {
  it('hides a block that fenceContext made, and shows what is around it', () => {
    expect(scrub([`Sure.\n${fenceContext('likes tea')}\nHere you go.`])).toBe('Sure.\n\nHere you go.')
  })

  it('shows the same however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 20 }), (pieces, sizes) => {
        const text = pieces.join('')
        expect(scrub(cut(text, sizes))).toBe(scrub([text]))
      }),
      { numRuns: rounds(5000), seed: 11 },
    )
  })

  it('agrees with the plain rule', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        expect(scrub(pieces)).toBe(plain(pieces.join('')))
      }),
      { numRuns: rounds(5000), seed: 12 },
    )
  })

  it('never holds back more than a tag with its attributes and the beginning of the note', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const scrubber = createContextScrubber()
        for (const each of pieces) scrubber.push(each)
        expect(scrubber.flush().length).toBeLessThanOrEqual(120)
      }),
      { seed: 13 },
    )
  })

  it.each([
    ['a list', `Known:\n- ${fenceContext('likes tea')}\nDone`, 'Known:\n- \nDone'],
    ['a numbered list in a quote', `> 2. ${fenceContext('likes tea')}\nDone`, '> 2. \nDone'],
    ['white space behind the tag', '<memory-context> \t\nsecret</memory-context>\nDone', '\nDone'],
    ['attributes', '<memory-context source="recall">\nsecret</memory-context>\nDone', '\nDone'],
    ['spaces in the tags', '< memory-context >\nsecret</ memory-context >\nDone', '\nDone'],
    ['mid line', `I know this: ${fenceContext('likes tea')} Done`, 'I know this:  Done'],
    ['emphasis', `I know **${fenceContext('likes tea').replace('>', '>**')}\nDone`, 'I know **\nDone'],
    ['letters whose lower case is longer', `İİİ\n${fenceContext('İ likes tea')}\nİ`, 'İİİ\n\nİ'],
  ])('hides a block with or in %s', (_, answer, visible) => {
    expect(scrub([answer])).toBe(visible)
    expect(scrub([...answer])).toBe(visible)
  })

  it.each(['The `<memory-context>` tag', '<memory-context> is a tag', '- <memory-contexts>\nx', '<memory-context', 'a < b\n<'])(
    'shows a mention: %s',
    (answer) => {
      expect(scrub([...answer])).toBe(answer)
    },
  )

  it('hides a block at the head of the next answer, though the last one ended in mid line', () => {
    const scrubber = createContextScrubber()
    expect(scrubber.push('Checking that now.') + scrubber.flush()).toBe('Checking that now.')
    expect(scrubber.push(`${fenceContext('likes tea')}\nAnswer`)).toBe('\nAnswer')
  })

  describe('with a block that is never closed', () => {
    const fences = [fenceContext('The user likes tea.\nDeploys happen on Tuesdays at noon.'), fenceContext('Ada')]
    const scrubKnown = (chunks: readonly string[]): string => {
      const scrubber = createContextScrubber(fences)
      return chunks.map(scrubber.push).join('') + scrubber.flush()
    }
    const copy = (fences[0] ?? '').replace('\n</memory-context>', '')

    it.each([
      ['hides all of a copy', copy, ''],
      ['shows the answer behind a copy', `Sure.\n${copy}\n\nHere you go: Tuesday.`, 'Sure.\n\nHere you go: Tuesday.'],
      ['hides a copy that is cut off', `Sure.\n${copy.slice(0, -10)}`, 'Sure.\n'],
      ['hides a copy that is cut off in the note', copy.slice(0, 40), ''],
      ['hides a copy as a list, in other case', '<memory-context>\n- the USER likes tea\n- deploys happen on tuesdays, at noon', ''],
      ['hides short lines that are the whole memory', '<memory-context>\n- ada\nHello', 'Hello'],
      [
        'shows what repeats nothing, with its tag',
        'The wrapper is\n<memory-context>\nand then text.',
        'The wrapper is\n<memory-context>\nand then text.',
      ],
    ])('%s', (_, answer, visible) => {
      expect(scrubKnown([answer])).toBe(visible)
      expect(scrubKnown([...answer])).toBe(visible)
    })

    it('shows the same however the stream is cut, and no line of a fence', () => {
      const part = fc.oneof(
        piece,
        fc.constantFrom(
          copy,
          copy.slice(0, 30),
          'The user likes tea.',
          '\nDeploys happen on Tuesdays at noon.\n',
          '\nAda\n',
          '\nIndeed.\n',
        ),
      )
      fc.assert(
        fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 20 }), (pieces, sizes) => {
          const text = `<memory-context>\n${pieces.join('').replaceAll(/<\s*\/\s*memory-context/gi, '')}`
          const visible = scrubKnown([text])
          expect(scrubKnown(cut(text, sizes))).toBe(visible)
          if (visible !== text) expect(visible).not.toMatch(/The user likes tea|Deploys happen on Tuesdays|^Ada$/m)
        }),
        { numRuns: rounds(5000), seed: 14 },
      )
    })
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
